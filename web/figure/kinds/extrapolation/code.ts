// Programs for the figure: JavaScript trains the models and evaluates longer texts; Python plots the measured curves.
import type { EncodingInfo } from '../../../engine/index.ts';
import { toSeedTensor } from '../../compute/seeds.ts';
import { formatSourceComment } from '../../compute/training-source.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { pythonArray, pythonProgram } from '../../export/python-program.ts';
import { createTrainerCommand } from '../../export/trainer-program.ts';
import { listLineIds, type Spec } from './index.ts';
import type { Results } from './lengths.ts';
import { describeSource } from './scene.ts';

/** JavaScript that evaluates each longer text with the same weights and lower rotary frequencies. */
const scaledEvaluationCode = (task: Spec['task'], trainedLength: number): string => `    if (scaling) {
      const weights = await trainer.saveWeights();
      const lengthScores = [];
      for (const length of lengths) {
        const scaledParams = length > ${trainedLength} ? { ...scaling, factor: length / ${trainedLength}, original_length: ${trainedLength} } : {};
        const scaledTrainer = await createTrainer({ task: '${task}', ...config, encoding: { ...config.encoding, ...scaledParams }, seed, corpus });
        await scaledTrainer.loadWeights(weights);
        lengthScores.push(...(await scaledTrainer.evaluate({ lengths: [length], extraMetrics: false })).lengths);
        scaledTrainer.dispose();
      }
      evaluation = { ...evaluation, lengths: lengthScores };
    }
`;

/** JavaScript that continues training without positions, then evaluates the model. */
const recalibrationCode = (task: Spec['task']): string => `    if (recalibration) {
      const recalibrationConfig = { task: '${task}', ...config, encoding: { id: 'none' }, corpus };
      const recalibratedTrainer = await createTrainer({ ...recalibrationConfig, ...recalibration, seed: seed + 100 });
      await recalibratedTrainer.loadWeights(await trainer.saveWeights());
      await recalibratedTrainer.step(recalibration.steps);
      const evaluatedTrainer = await createTrainer({ ...recalibrationConfig, seed });
      await evaluatedTrainer.loadWeights(await recalibratedTrainer.saveWeights());
      evaluation = await evaluatedTrainer.evaluate({ lengths, extraMetrics: false });
      recalibratedTrainer.dispose();
      evaluatedTrainer.dispose();
    }
`;

export function code(spec: Spec, _: readonly EncodingInfo[], results: Results): SourceCode {
  const lines = listLineIds(spec);
  const { lengths, values, seeds, configs: specs, scalings, recalibrations, trainedLength, total, metric } = results;
  const hasScaling = scalings.some((scaling) => scaling !== undefined);
  const hasRecalibration = recalibrations.some((recalibration) => recalibration !== undefined);
  const lineFields = [...(hasScaling ? ['scaling'] : []), ...(hasRecalibration ? ['recalibration'] : [])];
  const createSeedArray = (name: string, measure: 'loss' | 'score' | 'last') =>
    pythonArray(name, toSeedTensor(values[measure], lines.length, seeds.length, lengths.length));
  const metricVariable = { loss: 'losses', score: 'scores', last: 'lasts' }[metric];
  const lineNames = lines.map((id) => `'${id}'`).join(', ');
  const lastLine = lines.length - 1;
  const lastConfig = specs[lastLine];
  const training = lastConfig && createTrainerCommand(lastConfig, `${spec.task}_${lines[lastLine]}`);
  const scalingNote = scalings[lastLine] ? ' This model is evaluated with lower frequencies, which transformer.py does not support.' : '';
  const recalibrationNote = recalibrations[lastLine]
    ? ' This model is trained further without positions, which transformer.py does not support.'
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
      values: {
        losses: createSeedArray('losses', 'loss'),
        scores: createSeedArray('scores', 'score'),
        lasts: createSeedArray('lasts', 'last'),
      },
      data: training?.data ?? {},
      lines: [
        '',
        formatSourceComment(results, describeSource(results)),
        '# Shape of losses, scores and lasts: (lines, seeds, lengths); NaN: not measured.',
        ...(training
          ? [
              `# One of the lines is ${lines[lastLine]}; the others differ in their encoding.${scalingNote}${recalibrationNote}`,
              training.comment,
            ]
          : []),
        `lines = [${lineNames}]`,
        `lengths = np.array([${lengths.join(', ')}])`,
        'loss, score, last = losses.mean(axis=1), scores.mean(axis=1), lasts.mean(axis=1)',
        `low, high = ${metricVariable}.min(axis=1), ${metricVariable}.max(axis=1)`,
      ],
    }),
    phasor: `import { createTrainer } from 'phasor/train';
${spec.task === 'text' ? `\n// The text that the models are trained on.\nconst corpus = await (await import('node:fs/promises')).readFile('pride-and-prejudice.txt', 'utf8');\n` : ''}
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
    ${lineFields.length > 0 ? 'let' : 'const'} evaluation = await trainer.evaluate({ lengths: lengths.filter((length) => length <= rows)${spec.beyond === 'clamp' ? ", outOfRange: 'clamp'" : ''}, extraMetrics: false });
${hasScaling ? scaledEvaluationCode(spec.task, trainedLength) : ''}${hasRecalibration ? recalibrationCode(spec.task) : ''}    losses[line][at] = evaluation.lengths.map(({ loss }) => loss);
    scores[line][at] = evaluation.lengths.map(({ score }) => score);
    lasts[line][at] = evaluation.lengths.map(({ accuracyAt }) => accuracyAt.at(-1));
    trainer.dispose();
  }
}
// [lines, lengths]
const reduceSeeds = (values, reduce) => ({
  shape: [lines.length, lengths.length],
  data: Float32Array.from(values.flatMap((runs) => lengths.map((_, at) => reduce(runs.map((run) => run[at]))))),
});
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const [loss, score, last] = [losses, scores, lasts].map((values) => reduceSeeds(values, mean));
const low = reduceSeeds(${metricVariable}, (values) => Math.min(...values));
const high = reduceSeeds(${metricVariable}, (values) => Math.max(...values));
`,
  };
}
