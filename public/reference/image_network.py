"""A network from the coordinates of a pixel to its colours, with and without Fourier features (Tancik et al. 2020, arXiv 2006.10739), in PyTorch.

python image_network.py --sigma 10: reads target.npy (pixels, 3) beside it, trains both networks on a quarter of the pixels and prints the
peak signal-to-noise ratio at these and at the pixels between them.
"""

import argparse

import numpy as np
import torch
from torch import nn

FEATURES = 64


def train(x, target, options):
    """A network from x (pixels, inputs), trained on `target` (pixels, 3) at the rows of `options.rows`: its picture."""
    sizes = [x.shape[1]] + options.layers * [options.width]
    hidden = [part for size in zip(sizes, sizes[1:]) for part in (nn.Linear(*size), nn.ReLU())]
    network = nn.Sequential(*hidden, nn.Linear(options.width, 3), nn.Sigmoid())
    optimizer = torch.optim.Adam(network.parameters(), lr=options.learning_rate)
    for _ in range(options.steps):
        optimizer.zero_grad()
        nn.functional.mse_loss(network(x[options.rows]), target[options.rows]).backward()
        optimizer.step()
    return network(x).detach()


def psnr(picture, target):
    return (-10 * torch.log10((picture - target).square().mean())).item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--sigma', type=float, default=10)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--steps', type=int, default=1000)
    parser.add_argument('--layers', type=int, default=3)
    parser.add_argument('--width', type=int, default=64)
    parser.add_argument('--learning-rate', type=float, default=0.003)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    target = torch.from_numpy(np.load('target.npy')).float()
    side = round(len(target) ** 0.5)
    row, column = torch.arange(side**2) // side, torch.arange(side**2) % side
    places = torch.stack((row, column), 1) / side
    options.rows, between = (row % 2 == 0) & (column % 2 == 0), (row % 2 == 1) & (column % 2 == 1)
    angles = 2 * torch.pi * places @ (options.sigma * torch.randn(2, FEATURES))
    features = torch.cat((angles.cos(), angles.sin()), 1)
    for name, x in (('coordinates alone', places), ('features', features)):
        picture = train(x, target, options)
        print(name, psnr(picture[options.rows], target[options.rows]), psnr(picture[between], target[between]))


if __name__ == '__main__':
    main()
