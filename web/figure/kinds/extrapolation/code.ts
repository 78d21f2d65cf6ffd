// Programs for the figure: JavaScript trains the models and evaluates longer texts; Python plots the measured curves.
import type { EncodingInfo } from '../../../engine/index.ts';
import { seedTensor } from '../../compute/seeds.ts';
import { sourceComment } from '../../compute/training-source.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { pythonArray, pythonProgram } from '../../export/python-program.ts';
import { trainerCommand } from '../../export/trainer-program.ts';
import { linesOf, type Spec } from './index.ts';
import type { Numbers } from './lengths.ts';
import { sourceOf } from './scene.ts';

/** Evaluates each longer text with the same weights and lower rotary frequencies. */
const stretchedCode = (task: Spec['task'], trained: number): string => `    if (scaling) {
      const weights = await trainer.saveWeights();
      const far = [];
      for (const length of lengths) {
        const slower = length > ${trained} ? { ...scaling, factor: length / ${trained}, original_length: ${trained} } : {};
        const reader = await createTrainer({ task: '${task}', ...config, encoding: { ...config.encoding, ...slower }, seed, corpus });
        await reader.loadWeights(weights);
        far.push(...(await reader.evaluate({ lengths: [length], extraMetrics: false })).lengths);
        reader.dispose();
      }
      read = { ...read, lengths: far };
    }
`;

/** Continues the training without positions for some steps, then evaluates. */
const droppedCode = (task: Spec['task']): string => `    if (recalibration) {
      const longer = { task: '${task}', ...config, encoding: { id: 'none' }, corpus };
      const dropped = await createTrainer({ ...longer, ...recalibration, seed: seed + 100 });
      await dropped.loadWeights(await trainer.saveWeights());
      await dropped.step(recalibration.steps);
      const reader = await createTrainer({ ...longer, seed });
      await reader.loadWeights(await dropped.saveWeights());
      read = await reader.evaluate({ lengths, extraMetrics: false });
      for (const one of [dropped, reader]) one.dispose();
    }
`;

export function code(spec: Spec, _: readonly EncodingInfo[], numbers: Numbers): SourceCode {
  const lines = linesOf(spec);
  const { lengths, values, seeds, specs, scalings, recalibrations, trained, total, metric } = numbers;
  const hasScaling = scalings.some((scaling) => scaling !== undefined);
  const hasRecalibration = recalibrations.some((recalibration) => recalibration !== undefined);
  const lineFields = [...(hasScaling ? ['scaling'] : []), ...(hasRecalibration ? ['recalibration'] : [])];
  const seedArray = (name: string, measure: 'loss' | 'score' | 'last') =>
    pythonArray(name, seedTensor(values[measure], lines.length, seeds.length, lengths.length));
  const shownVariable = { loss: 'losses', score: 'scores', last: 'lasts' }[metric];
  const lineNames = lines.map((id) => `'${id}'`).join(', ');
  const last = lines.length - 1;
  const lastConfig = specs[last];
  const training = lastConfig && trainerCommand(lastConfig, `${spec.task}_${lines[last]}`);
  const scalingNote = scalings[last] ? ' This model is evaluated with lower frequencies, which transformer.py does not support.' : '';
  const recalibrationNote = recalibrations[last]
    ? ' The training of this model continues without positions, which transformer.py does not support.'
    : '';
  const configs = specs
    .map(({ encoding, randomizedPositions }, line) => {
      const scalingText = scalings[line] ? `, scaling: ${JSON.stringify(scalings[line])}` : '';
      const recalibrationText = recalibrations[line] ? `, recalibration: ${JSON.stringify(recalibrations[line])}` : '';
      return `  { encoding: ${JSON.stringify(encoding)}, randomizedPositions: ${randomizedPositions}${scalingText}${recalibrationText} },`;
    })
    .join('\n');
  return {
    ...pythonProgram({
      values: { losses: seedArray('losses', 'loss'), scores: seedArray('scores', 'score'), lasts: seedArray('lasts', 'last') },
      data: training?.data ?? {},
      lines: [
        '',
        sourceComment(numbers, sourceOf(numbers)),
        '# Shape of losses, scores and lasts: (lines, seeds, lengths); NaN: not measured.',
        ...(training
          ? [
              `# One of the lines is ${lines[last]}; the others differ in their encoding.${scalingNote}${recalibrationNote}`,
              training.comment,
            ]
          : []),
        `lines = [${lineNames}]`,
        `lengths = np.array([${lengths.join(', ')}])`,
        'loss, score, last = losses.mean(axis=1), scores.mean(axis=1), lasts.mean(axis=1)',
        `low, high = ${shownVariable}.min(axis=1), ${shownVariable}.max(axis=1)`,
      ],
    }),
    phasor: `import { createTrainer } from 'phasor/train';
${spec.task === 'text' ? `\n// The text that the models read.\nconst corpus = await (await import('node:fs/promises')).readFile('pride-and-prejudice.txt', 'utf8');\n` : ''}
// ${lines.join(', ')}
const lines = [
${configs}
];
const seeds = [${seeds.join(', ')}];
const lengths = [${lengths.join(', ')}];
// [line][seed][length]
const [losses, scores, lasts] = [0, 1, 2].map(() => lines.map(() => seeds.map(() => [])));
for (const [line, ${lineFields.length > 0 ? `{ ${lineFields.join(', ')}, ...config }` : 'config'}] of lines.entries()) {
  // A learned table rejects lengths beyond its rows.
  const rows = ${spec.beyond === 'clamp' ? 'Infinity' : "config.encoding.id === 'learned' ? config.encoding.max_length : Infinity"};
  for (const [at, seed] of seeds.entries()) {
    const trainer = await createTrainer({ task: '${spec.task}', ...config, seed, steps: ${total}${spec.task === 'text' ? ', corpus' : ''} });
    await trainer.step(${total});
    ${lineFields.length > 0 ? 'let' : 'const'} read = await trainer.evaluate({ lengths: lengths.filter((length) => length <= rows)${spec.beyond === 'clamp' ? ", outOfRange: 'clamp'" : ''}, extraMetrics: false });
${hasScaling ? stretchedCode(spec.task, trained) : ''}${hasRecalibration ? droppedCode(spec.task) : ''}    losses[line][at] = read.lengths.map((one) => one.loss);
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
const low = over(${shownVariable}, (all) => Math.min(...all));
const high = over(${shownVariable}, (all) => Math.max(...all));
`,
  };
}
