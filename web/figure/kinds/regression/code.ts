// The figure as programs: in PyTorch both networks and their training, in JavaScript the same by the trainer of the package; NumPy has nothing that
// trains and measures the pictures, which are files that the figure offers.
import type { EncodingInfo } from '../../../engine/index.ts';
import { sourceText } from '../../compute/training-source.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { doneOf, LINES, type Numbers } from './compute.ts';
import type { Spec } from './index.ts';
import { SIDE } from './pixels.ts';

const listed = (values: Float32Array): string =>
  `[${Array.from(values, (value) => (Number.isFinite(value) ? value : 'np.nan')).join(', ')}]`;

export function code(_: Spec, __: readonly EncodingInfo[], numbers: Numbers): SourceCode {
  const { steps, decibels, sigmas, bySigma, alone, low, high, sigma, seeds, total, origin, isOwn, specs } = numbers;
  const points = steps.length;
  const [seed = 1] = seeds;
  const { layers = 3, width = 64, lr = 0.003 } = specs[0] ?? {};
  const rows = LINES.map((_, line) => `    ${listed(decibels.data.subarray(line * points, (line + 1) * points))},`).join('\n');
  const overSigma = `# For each of ${sigmas.join(', ')}: at the trained pixels and between them, mean of three seeds, lowest and highest.
bySigma = np.array(${listed(bySigma.data)}).reshape(-1, 2)
low = np.array(${listed(low.data)}).reshape(-1, 2)
high = np.array(${listed(high.data)}).reshape(-1, 2)
alone = np.array(${listed(alone.data)})
`;
  return {
    numpy: `import numpy as np

# The files beside this program: the image, and what the networks draw. [pixels, 3], from 0 to 1
target, plain, features = np.load('target.npy'), np.load('plain.npy'), np.load('features.npy')

# ${sourceText(numbers, doneOf(numbers))}
steps = np.array([${steps.join(', ')}])
# Coordinates alone at the trained pixels and between them, then features: what the trainer measured.
decibels = np.array([
${rows}
])
${origin === 'recorded' ? overSigma : ''}
row, column = np.divmod(np.arange(${SIDE ** 2}), ${SIDE})
trained, between = (row % 2 == 0) & (column % 2 == 0), (row % 2 == 1) & (column % 2 == 1)
# The same from the pictures: at the trained pixels and between them, of coordinates alone and of features.
ratios = [[-10 * np.log10(np.mean((picture[where] - target[where]) ** 2)) for where in (trained, between)] for picture in (plain, features)]
`,
    pytorch: `# Both networks and how they are trained. PyTorch draws other random numbers, so that ratios differ a little.
import numpy as np
import torch
from torch import nn

SIDE, SIGMA, FEATURES, LAYERS, WIDTH, STEPS = ${SIDE}, ${sigma}, 64, ${layers}, ${width}, ${total}
torch.manual_seed(${seed})

# The file beside this program: [pixels, 3], from 0 to 1
target = torch.from_numpy(np.load('target.npy')).float()
row, column = torch.arange(SIDE**2) // SIDE, torch.arange(SIDE**2) % SIDE
places = torch.stack((row, column), 1) / SIDE
trained, between = (row % 2 == 0) & (column % 2 == 0), (row % 2 == 1) & (column % 2 == 1)
turns = 2 * torch.pi * places @ (SIGMA * torch.randn(2, FEATURES))


def learn(x):
    """A network from x, [pixels, inputs], to colours, trained on a quarter of the pixels."""
    sizes = [x.shape[1]] + LAYERS * [WIDTH]
    hidden = [part for size in zip(sizes, sizes[1:]) for part in (nn.Linear(*size), nn.ReLU())]
    network = nn.Sequential(*hidden, nn.Linear(WIDTH, 3), nn.Sigmoid())
    optimizer = torch.optim.Adam(network.parameters(), lr=${lr})
    for _ in range(STEPS):
        optimizer.zero_grad()
        nn.functional.mse_loss(network(x[trained]), target[trained]).backward()
        optimizer.step()
    return network(x).detach()


def decibels_of(picture, where):
    return (-10 * torch.log10((picture[where] - target[where]).square().mean())).item()


plain, features = learn(places), learn(torch.cat((turns.cos(), turns.sin()), 1))
for name, picture in (("coordinates alone", plain), ("features", features)):
    print(name, decibels_of(picture, trained), decibels_of(picture, between))
`,
    phasor: `import { createTrainer } from 'phasor/train';

// ${isOwn ? 'Your image' : 'The photograph'}, the file target.npy beside this program: [pixels, 3] from 0 to 1, after a header.
const file = await (await fetch('target.npy')).arrayBuffer();
const image = { shape: [${SIDE}, ${SIDE}, 3], data: new Float32Array(file.slice(-${4 * 3 * SIDE ** 2})) };
// Coordinates alone at the trained pixels and between them, then features. [line][point]
const lines = [[], [], [], []];
for (const [network, encoding] of ['none', { id: 'fourier', features: 64, extent: 1, sigma: ${sigma} }].entries()) {
  const trainer = await createTrainer({ task: 'image', image, encoding, seed: ${seed}, steps: ${total} });
  for (let point = 0; point < ${points}; point++) {
    await trainer.step(${total / Math.max(1, points)});
    const { lengths, observed } = await trainer.evaluate();
    lines[2 * network].push(observed.train_decibels);
    lines[2 * network + 1].push(lengths[0].score);
  }
  trainer.dispose();
}
const decibels = { shape: [4, ${points}], data: Float32Array.from(lines.flat()) };
`,
  };
}
