"""Times steps of the network that draws an image (E3) in PyTorch, on one thread: python train_image_peer.py STEPS INPUTS WIDTH LAYERS PIXELS.

Prints the processor time of each step as JSON, in milliseconds. The targets are random colours; a step costs the same as with an image.
"""
import json
import sys
import time

import torch
from torch import nn

torch.set_num_threads(1)
steps, inputs, width, layers, pixels = map(int, sys.argv[1:])
widths = [inputs] + [width] * layers
hidden = [part for a, b in zip(widths, widths[1:]) for part in (nn.Linear(a, b), nn.ReLU())]
model = nn.Sequential(*hidden, nn.Linear(width, 3), nn.Sigmoid())
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
x, y = torch.randn(pixels, inputs), torch.rand(pixels, 3)
took = []
for _ in range(steps):
    start = time.process_time()
    loss = nn.functional.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    loss.item()
    took.append(1000 * (time.process_time() - start))
print(json.dumps(took))
