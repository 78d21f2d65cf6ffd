"""Times PyTorch's scaled_dot_product_attention; prints the rows of native_attention_bench.cpp."""
import json
import time

import torch
import torch.nn.functional as F

HEADS, HEAD_DIM, SECONDS_OF_ROW = 8, 64, 0.5


def time_row(tokens, causal, threads):
    torch.set_num_threads(threads)
    q, k, v = (torch.randn(1, HEADS, tokens, HEAD_DIM) for _ in range(3))
    clock, processor = [], []
    end = time.perf_counter() + SECONDS_OF_ROW
    while len(clock) < 3 or time.perf_counter() < end:
        clock_start, processor_start = time.perf_counter(), time.process_time()
        F.scaled_dot_product_attention(q, k, v, is_causal=causal)
        processor.append(time.process_time() - processor_start)
        clock.append(time.perf_counter() - clock_start)
    return {"tokens": tokens, "causal": causal, "threads": threads, "clock": 1e3 * min(clock), "processor": 1e3 * min(processor)}


with torch.inference_mode():
    print(json.dumps([time_row(tokens, causal, threads) for threads in (1, 2) for tokens in (1024, 4096) for causal in (False, True)]))
