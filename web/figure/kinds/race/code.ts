// The figure as programs: in PyTorch the file of the trainer, in JavaScript the race itself; NumPy has nothing that trains and makes the lines of
// what was measured.
import type { EncodingInfo } from '../../../engine/index.ts';
import type { Values } from '../../compute/seeds.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { trainerProgram } from '../../export/trainer-program.ts';
import type { Numbers } from './curves.ts';
import { linesOf, type Spec } from './index.ts';
import { sourceOf } from './scene.ts';

const literal = (values: Values, points: number): string =>
  `[${values
    .map((seeds) => {
      const curves = seeds.map((curve) =>
        Array.from({ length: points }, (_, at) => (curve[at] === undefined ? 'np.nan' : String(curve[at]))),
      );
      return `\n  [${curves.map((curve) => `[${curve.join(', ')}]`).join(',\n   ')}],`;
    })
    .join('')}\n]`;

export function code(spec: Spec, _: readonly EncodingInfo[], numbers: Numbers): SourceCode {
  const lines = linesOf(spec);
  const { steps, values, seeds, specs, total } = numbers;
  const points = steps.length;
  const shown = spec.measure === 'loss' ? 'losses' : 'scores';
  const named = lines.map((id) => `'${id}'`).join(', ');
  const [last = 0] = [lines.length - 1];
  const own = specs[last];
  const every = total / points;
  const configs = specs.map(({ encoding, causal }) => `  { encoding: ${JSON.stringify(encoding)}, causal: ${causal} },`).join('\n');
  return {
    numpy: `import numpy as np

# ${sourceOf(numbers)}
lines = [${named}]
steps = np.array([${steps.join(', ')}])
# [lines, seeds, points], as measured; the program that trains is the one in PyTorch.
scores = np.array(${literal(values.score, points)})
losses = np.array(${literal(values.loss, points)})
score, loss = scores.mean(axis=1), losses.mean(axis=1)
low, high = ${shown}.min(axis=1), ${shown}.max(axis=1)
`,
    pytorch: own
      ? `# One of the lines: ${lines[last]}. The others differ in their encoding and mask.\n${trainerProgram(own, `${spec.task}_${lines[last]}`)}`
      : '',
    phasor: `import { createTrainer } from 'phasor/train';

// ${lines.join(', ')}
const lines = [
${configs}
];
const seeds = [${seeds.join(', ')}];
// [line][seed][point]
const scores = lines.map(() => seeds.map(() => []));
const losses = lines.map(() => seeds.map(() => []));
for (const [line, config] of lines.entries()) {
  for (const [at, seed] of seeds.entries()) {
    const trainer = await createTrainer({ task: '${spec.task}', ...config, seed, steps: ${total} });
    for (let point = 0; point < ${points}; point++) {
      losses[line][at].push((await trainer.step(${every})).loss);
      scores[line][at].push((await trainer.evaluate({ items: 100, observe: false })).lengths[0].score);
    }
    trainer.dispose();
  }
}
// [lines, points]
const over = (values, of) => ({
  shape: [lines.length, ${points}],
  data: Float32Array.from(values.flatMap((runs) => Array.from({ length: ${points} }, (_, point) => of(runs.map((run) => run[point]))))),
});
const mean = (all) => all.reduce((sum, value) => sum + value, 0) / all.length;
const score = over(scores, mean);
const loss = over(losses, mean);
const low = over(${shown}, (all) => Math.min(...all));
const high = over(${shown}, (all) => Math.max(...all));
`,
  };
}
