// Generates the figure's programs: JavaScript that trains both models, and Python that finds the step at which a circuit emerges.
import type { EncodingInfo } from '../../../engine/index.ts';
import { formatSourceComment } from '../../compute/training-source.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { pythonArray, pythonProgram } from '../../export/python-program.ts';
import { createTrainerCommand } from '../../export/trainer-program.ts';
import { NUM_POINTS, type Results, type Spec } from './compute.ts';
import { describeSource } from './scene.ts';

export function code(_: Spec, __: readonly EncodingInfo[], results?: Results): SourceCode {
  if (!results) return { python: '', phasor: '', data: {} };
  const { loss, previous, matching, models, configs, steps, total } = results;
  const [firstConfig] = configs;
  const trainerCommand = firstConfig && createTrainerCommand(firstConfig, `induction_${firstConfig.encoding.id}`);
  const headCount = models[0]?.heads ?? 0;
  const composition = {
    shape: [models.length * headCount, headCount],
    data: Float32Array.from(models.flatMap((model) => [...model.composition.data])),
  };
  const hasModels = models.length > 0;
  return {
    ...pythonProgram({
      values: {
        loss: pythonArray('loss', loss),
        previous: pythonArray('previous', previous),
        matching: pythonArray('matching', matching),
        ...(hasModels ? { composition: pythonArray('composition', composition) } : {}),
      },
      data: trainerCommand?.data ?? {},
      lines: [
        '',
        formatSourceComment(results, describeSource(results)),
        '# Shape of loss, previous and matching: (models, len(steps)).',
        ...(trainerCommand ? ['# First model (the second differs only in its encoding):', trainerCommand.comment] : []),
        `steps = np.array([${steps.join(', ')}])`,
        'emerged = [steps[row >= 0.5][:1] for row in matching]',
      ],
    }),
    phasor: `import { createTrainer } from 'phasor/train';

const encodings = ${JSON.stringify(configs.map(({ encoding }) => encoding))};
const rows = { loss: [], previous: [], matching: [], composition: [] };
for (const encoding of encodings) {
  const trainer = await createTrainer({ task: 'induction', encoding, seed: ${firstConfig?.seed ?? 1} });
  for (let point = 0; point < ${NUM_POINTS}; point++) {
    rows.loss.push((await trainer.step(${total / NUM_POINTS})).loss);
    const { metrics } = await trainer.evaluate({ numSamples: 1 });
    rows.previous.push(metrics.previous_token);
    rows.matching.push(metrics.prefix_matching);
  }
  rows.composition.push(...(await trainer.kComposition({ fromLayer: 0, toLayer: 1 })).data);
  // Evaluates the model without the first head of layer 1.
  await trainer.ablateHeads([{ layer: 0, head: 0 }]);
  console.log(await trainer.evaluate({ numSamples: 64 }));
  trainer.dispose();
}
const tensor = (values, columns) => ({ shape: [values.length / columns, columns], data: Float32Array.from(values) });
const loss = tensor(rows.loss, ${NUM_POINTS});
const previous = tensor(rows.previous, ${NUM_POINTS});
const matching = tensor(rows.matching, ${NUM_POINTS});
const composition = tensor(rows.composition, ${headCount || 4});
`,
  };
}
