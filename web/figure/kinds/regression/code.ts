// Programs for the figure: JavaScript trains both networks; Python computes the ratios of the images.
import type { EncodingInfo } from '../../../engine/index.ts';
import { formatSource, formatSourceComment } from '../../compute/training-source.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { pythonArray, pythonProgram } from '../../export/python-program.ts';
import { findLastCompleteStep, type Results } from './compute.ts';
import type { Spec } from './index.ts';
import { SIDE } from './pixels.ts';

export function code(_: Spec, __: readonly EncodingInfo[], results: Results): SourceCode {
  const {
    target,
    plainOutput,
    featuresOutput,
    steps,
    decibels,
    sigmas,
    ratiosBySigma,
    plainRatios,
    low,
    high,
    sigma,
    seeds,
    total,
    origin,
    isUserImage,
    trainConfigs,
  } = results;
  const points = steps.length;
  const [seed = 1] = seeds;
  const { layers = 3, embedDim = 64, lr = 0.003 } = trainConfigs[0] ?? {};
  const training = [
    `python image_network.py --sigma ${sigma} --seed ${seed} --steps ${total}`,
    `--layers ${layers} --width ${embedDim} --learning-rate ${lr}`,
  ];
  const isRecorded = origin === 'recorded';
  return {
    ...pythonProgram({
      imports: ['from analysis import psnr'],
      values: {
        target: pythonArray('target', target),
        plain: pythonArray('plain', plainOutput),
        features: pythonArray('features', featuresOutput),
        decibels: pythonArray('decibels', decibels),
        ...(isRecorded
          ? {
              bySigma: pythonArray('bySigma', ratiosBySigma),
              low: pythonArray('low', low),
              high: pythonArray('high', high),
              alone: pythonArray('alone', plainRatios),
            }
          : {}),
      },
      lines: [
        '',
        formatSourceComment(results, formatSource(results, findLastCompleteStep(results))),
        '# decibels: PSNR (lines, steps). Lines: coordinates alone, then Fourier features, each at trained and at test pixels.',
        ...(isRecorded
          ? [
              `# bySigma, low and high (sigmas, 2): mean, minimum and maximum PSNR over three seeds, at trained and at test pixels, for sigma ${sigmas.join(', ')}.`,
            ]
          : []),
        `# To train both networks in PyTorch, with different random numbers: ${training.join(' ')}`,
        `steps = np.array([${steps.join(', ')}])`,
        `row, column = np.divmod(np.arange(${SIDE ** 2}), ${SIDE})`,
        'trained, between = (row % 2 == 0) & (column % 2 == 0), (row % 2 == 1) & (column % 2 == 1)',
        '# The final PSNRs, recomputed from the images (pixels, 3).',
        'ratios = [[psnr(picture[where], target[where]) for where in (trained, between)] for picture in (plain, features)]',
      ],
    }),
    phasor: `import { createTrainer } from 'phasor/train';

// ${isUserImage ? 'Your image' : 'The photograph'}, the file target.npy beside this program: [pixels, 3] from 0 to 1, after a header.
const file = await (await fetch('target.npy')).arrayBuffer();
const image = { shape: [${SIDE}, ${SIDE}, 3], data: new Float32Array(file.slice(-${4 * 3 * SIDE ** 2})) };
// PSNR, [line][point]. Lines: coordinates alone, then Fourier features, each at trained and at test pixels.
const lines = [[], [], [], []];
for (const [network, encoding] of ['none', { id: 'fourier', features: 64, extent: 1, sigma: ${sigma} }].entries()) {
  const trainer = await createTrainer({ task: 'image', image, encoding, seed: ${seed}, steps: ${total} });
  for (let point = 0; point < ${points}; point++) {
    await trainer.step(${total / Math.max(1, points)});
    const { lengths, metrics } = await trainer.evaluate();
    lines[2 * network].push(metrics.train_decibels);
    lines[2 * network + 1].push(lengths[0].score);
  }
  trainer.dispose();
}
const decibels = { shape: [4, ${points}], data: Float32Array.from(lines.flat()) };
`,
  };
}
