"""Times the steps of an exported program in PyTorch, on one thread: python train_peer.py PROGRAM STEPS [words of the program].

Prints the processor time of each step as JSON, in milliseconds. Batches are drawn before: they are made by numbers that Python
adds up one by one, which says nothing about PyTorch.
"""
import importlib.util
import json
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
program, steps = sys.argv[1], int(sys.argv[2])
sys.argv = [program, *sys.argv[3:]]
spec = importlib.util.spec_from_file_location("exported", program)
of = importlib.util.module_from_spec(spec)
spec.loader.exec_module(of)

model = of.Model()
model.load_state_dict(of.read_safetensors(of.ARGUMENTS.weights))
optimizer = of.make_optimizer(model)
batches = [of.draw(step) for step in range(steps)]
took = []
for step, (inputs, targets, positions) in enumerate(batches, 1):
    start = time.process_time()
    logits = model(inputs, positions)
    answers = (targets != of.IGNORED).sum()
    loss = F.cross_entropy(
        logits.reshape(-1, logits.shape[-1]), targets.reshape(-1), ignore_index=of.IGNORED, label_smoothing=of.LABEL_SMOOTHING, reduction="sum"
    )
    loss = loss / answers
    for group in optimizer.param_groups:
        group["lr"] = of.LR * group["factor"] * of.schedule(step)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1)
    optimizer.step()
    loss.item()
    took.append(1000 * (time.process_time() - start))
print(json.dumps(took))
