// Programs for the figure: JavaScript trains the models; Python plots the measured curves.
import type { EncodingInfo } from '../../../engine/index.ts';
import { toSeedTensor } from '../../compute/seeds.ts';
import { formatSourceComment } from '../../compute/training-source.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { pythonArray, pythonProgram } from '../../export/python-program.ts';
import { createTrainerCommand } from '../../export/trainer-program.ts';
import type { Results } from './curves.ts';
import { getLineIds, type Spec } from './index.ts';
import { createSourceNote } from './scene.ts';

export function code(spec: Spec, _: readonly EncodingInfo[], results: Results): SourceCode {
  const lines = getLineIds(spec);
  const { steps, values, seeds, trainConfigs, total } = results;
  const points = steps.length;
  const metricName = spec.metric === 'loss' ? 'losses' : 'scores';
  const lineNames = lines.map((id) => `'${id}'`).join(', ');
  const lastLineIndex = lines.length - 1;
  const lastConfig = trainConfigs[lastLineIndex];
  const training = lastConfig && createTrainerCommand(lastConfig, `${spec.task}_${lines[lastLineIndex]}`);
  const measuredValues = (name: 'scores' | 'losses', of: 'score' | 'loss') =>
    pythonArray(name, toSeedTensor(values[of], lines.length, seeds.length, points));
  const interval = total / points;
  const configLines = trainConfigs
    .map(({ encoding, causal }) => `  { encoding: ${JSON.stringify(encoding)}, causal: ${causal} },`)
    .join('\n');
  return {
    ...pythonProgram({
      values: { scores: measuredValues('scores', 'score'), losses: measuredValues('losses', 'loss') },
      data: training?.data ?? {},
      lines: [
        '',
        formatSourceComment(results, createSourceNote(results)),
        '# Measured accuracies (scores) and losses, of shape (lines, seeds, points).',
        ...(training
          ? [`# One of the lines is ${lines[lastLineIndex]}; the others differ in their encoding and mask.`, training.comment]
          : []),
        `lines = [${lineNames}]`,
        `steps = np.array([${steps.join(', ')}])`,
        'score, loss = scores.mean(axis=1), losses.mean(axis=1)',
        `low, high = ${metricName}.min(axis=1), ${metricName}.max(axis=1)`,
      ],
    }),
    phasor: `import { createTrainer } from 'phasor/train';

// ${lines.join(', ')}
const lines = [
${configLines}
];
const seeds = [${seeds.join(', ')}];
// [line][seed][point]
const scores = lines.map(() => seeds.map(() => []));
const losses = lines.map(() => seeds.map(() => []));
for (const [line, config] of lines.entries()) {
  for (const [at, seed] of seeds.entries()) {
    const trainer = await createTrainer({ task: '${spec.task}', ...config, seed, steps: ${total} });
    for (let point = 0; point < ${points}; point++) {
      losses[line][at].push((await trainer.step(${interval})).loss);
      scores[line][at].push((await trainer.evaluate({ numSamples: 100, extraMetrics: false })).lengths[0].score);
    }
    trainer.dispose();
  }
}
// [lines, points]
const reduceRuns = (values, of) => ({
  shape: [lines.length, ${points}],
  data: Float32Array.from(values.flatMap((runs) => Array.from({ length: ${points} }, (_, point) => of(runs.map((run) => run[point]))))),
});
const mean = (all) => all.reduce((sum, value) => sum + value, 0) / all.length;
const score = reduceRuns(scores, mean);
const loss = reduceRuns(losses, mean);
const low = reduceRuns(${metricName}, (all) => Math.min(...all));
const high = reduceRuns(${metricName}, (all) => Math.max(...all));
`,
  };
}
