// The figure as programs: in PyTorch the file of the trainer, in JavaScript the training and the reading of longer texts; NumPy has nothing that
// trains and makes the lines of what was measured.
import type { EncodingInfo } from '../../../engine/index.ts';
import type { Values } from '../../compute/seeds.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { trainerProgram } from '../../export/trainer-program.ts';
import { linesOf, type Spec } from './index.ts';
import type { Numbers } from './lengths.ts';
import { sourceOf } from './scene.ts';

/** [lines, seeds, lengths]; what was not measured is NaN. */
const literal = (values: Values, lines: number, seeds: number, points: number): string => {
  const row = (line: number, seed: number): string =>
    `[${Array.from({ length: points }, (_, at) => {
      const value = values[line]?.[seed]?.[at];
      return value === undefined || Number.isNaN(value) ? 'np.nan' : String(value);
    }).join(', ')}]`;
  const line = (at: number): string => `\n  [${Array.from({ length: seeds }, (_, seed) => row(at, seed)).join(',\n   ')}],`;
  return `[${Array.from({ length: lines }, (_, at) => line(at)).join('')}\n]`;
};

/** Longer texts once more, each by a model of the same weights with slower pairs. */
const stretchedCode = (task: Spec['task'], trained: number): string => `    if (scaling) {
      const weights = await trainer.saveWeights();
      const far = [];
      for (const length of lengths) {
        const slower = length > ${trained} ? { ...scaling, factor: length / ${trained}, original_length: ${trained} } : {};
        const reader = await createTrainer({ task: '${task}', ...config, encoding: { ...config.encoding, ...slower }, seed, corpus });
        await reader.loadWeights(weights);
        far.push(...(await reader.evaluate({ lengths: [length], observe: false })).lengths);
        reader.dispose();
      }
      read = { ...read, lengths: far };
    }
`;

export function code(spec: Spec, _: readonly EncodingInfo[], numbers: Numbers): SourceCode {
  const lines = linesOf(spec);
  const { lengths, values, seeds, specs, scalings, trained, total, measure } = numbers;
  const isStretched = scalings.some((scaling) => scaling !== undefined);
  const of = (name: 'loss' | 'score' | 'last'): string => literal(values[name], lines.length, seeds.length, lengths.length);
  const shown = { loss: 'losses', score: 'scores', last: 'lasts' }[measure];
  const named = lines.map((id) => `'${id}'`).join(', ');
  const last = lines.length - 1;
  const own = specs[last];
  const configs = specs
    .map(({ encoding, randomizedPositions }, line) => {
      const slowed = scalings[line] ? `, scaling: ${JSON.stringify(scalings[line])}` : '';
      return `  { encoding: ${JSON.stringify(encoding)}, randomizedPositions: ${randomizedPositions}${slowed} },`;
    })
    .join('\n');
  return {
    numpy: `import numpy as np

# ${sourceOf(numbers)}
lines = [${named}]
lengths = np.array([${lengths.join(', ')}])
# [lines, seeds, lengths], as measured; the program that trains is the one in PyTorch.
losses = np.array(${of('loss')})
scores = np.array(${of('score')})
lasts = np.array(${of('last')})
loss, score, last = losses.mean(axis=1), scores.mean(axis=1), lasts.mean(axis=1)
low, high = ${shown}.min(axis=1), ${shown}.max(axis=1)
`,
    pytorch: own
      ? `# One of the lines: ${lines[last]}. The others differ in their encoding.${scalings[last] ? ' This one is read with slower pairs, which is not done here.' : ''}\n${trainerProgram(own, `${spec.task}_${lines[last]}`)}`
      : '',
    phasor: `import { createTrainer } from 'phasor/train';
${spec.task === 'text' ? `\n// What the models read.\nconst corpus = await (await import('node:fs/promises')).readFile('pride-and-prejudice.txt', 'utf8');\n` : ''}
// ${lines.join(', ')}
const lines = [
${configs}
];
const seeds = [${seeds.join(', ')}];
const lengths = [${lengths.join(', ')}];
// [line][seed][length]
const [losses, scores, lasts] = [0, 1, 2].map(() => lines.map(() => seeds.map(() => [])));
for (const [line, ${isStretched ? '{ scaling, ...config }' : 'config'}] of lines.entries()) {
  // Of a learned table that refuses: the lengths it has rows for.
  const rows = ${spec.beyond === 'clamp' ? 'Infinity' : "config.encoding.id === 'learned' ? config.encoding.max_length : Infinity"};
  for (const [at, seed] of seeds.entries()) {
    const trainer = await createTrainer({ task: '${spec.task}', ...config, seed, steps: ${total}${spec.task === 'text' ? ', corpus' : ''} });
    await trainer.step(${total});
    ${isStretched ? 'let' : 'const'} read = await trainer.evaluate({ lengths: lengths.filter((length) => length <= rows)${spec.beyond === 'clamp' ? ", beyond: 'clamp'" : ''}, observe: false });
${isStretched ? stretchedCode(spec.task, trained) : ''}    losses[line][at] = read.lengths.map((one) => one.loss);
    scores[line][at] = read.lengths.map((one) => one.score);
    lasts[line][at] = read.lengths.map((one) => one.accuracyAt.at(-1));
    trainer.dispose();
  }
}
// [lines, lengths]
const over = (values, of) => ({
  shape: [lines.length, lengths.length],
  data: Float32Array.from(values.flatMap((runs) => lengths.map((_, at) => of(runs.map((run) => run[at]))))),
});
const mean = (all) => all.reduce((sum, value) => sum + value, 0) / all.length;
const [loss, score, last] = [losses, scores, lasts].map((values) => over(values, mean));
const low = over(${shown}, (all) => Math.min(...all));
const high = over(${shown}, (all) => Math.max(...all));
`,
  };
}
