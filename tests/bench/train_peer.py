"""Times the steps of transformer.py, on one thread: python train_peer.py CONFIG STEPS [CORPUS].

Prints the processor time of each step as JSON, in milliseconds. Batches are drawn in advance, because they are computed in plain Python.
"""
import json
import os
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../public/reference"))
import transformer as of

torch.set_num_threads(1)
file, steps, corpus = sys.argv[1], int(sys.argv[2]), (sys.argv[3:] or [None])[0]
config = of.read_config(file)
task = of.make_task(config.task, corpus)
model = of.Transformer(config, task)
model.load_state_dict(of.read_safetensors(os.path.splitext(file)[0] + ".safetensors"))
optimizer = of.make_optimizer(config, model)
batches = [of.draw_batch(task, config, step) for step in range(steps)]
took = []
for step, (inputs, targets, positions) in enumerate(batches, 1):
    start = time.process_time()
    logits = model(inputs, positions)
    target_count = (targets != of.IGNORED).sum()
    loss = F.cross_entropy(
        logits.reshape(-1, logits.shape[-1]), targets.reshape(-1), ignore_index=of.IGNORED, label_smoothing=config.label_smoothing, reduction="sum"
    )
    loss = loss / target_count
    for group in optimizer.param_groups:
        group["lr"] = config.lr * group["factor"] * of.schedule(config, step)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1)
    optimizer.step()
    loss.item()
    took.append(1000 * (time.process_time() - start))
print(json.dumps(took))
