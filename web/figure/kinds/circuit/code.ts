// Programs for the figure: JavaScript trains both models; Python plots the measured curves.
import type { EncodingInfo } from '../../../engine/index.ts';
import { sourceComment } from '../../compute/training-source.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { pythonArray, pythonProgram } from '../../export/python-program.ts';
import { trainerCommand } from '../../export/trainer-program.ts';
import { type Numbers, POINTS, type Spec } from './compute.ts';
import { sourceOf } from './scene.ts';

export function code(_: Spec, __: readonly EncodingInfo[], numbers?: Numbers): SourceCode {
  if (!numbers) return { python: '', phasor: '', data: {} };
  const { loss, previous, matching, models, specs, steps, total } = numbers;
  const [first] = specs;
  const training = first && trainerCommand(first, `induction_${first.encoding.id}`);
  const count = models[0]?.heads ?? 0;
  const composition = {
    shape: [models.length * count, count],
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
      data: training?.data ?? {},
      lines: [
        '',
        sourceComment(numbers, sourceOf(numbers)),
        '# Shape of loss, previous and matching: (models, steps).',
        ...(training ? ['# The first model; the other differs only in its encoding.', training.comment] : []),
        `steps = np.array([${steps.join(', ')}])`,
        'emerged = [steps[row >= 0.5][:1] for row in matching]',
      ],
    }),
    phasor: `import { createTrainer } from 'phasor/train';

const encodings = ${JSON.stringify(specs.map(({ encoding }) => encoding))};
const rows = { loss: [], previous: [], matching: [], composition: [] };
for (const encoding of encodings) {
  const trainer = await createTrainer({ task: 'induction', encoding, seed: ${first?.seed ?? 1} });
  for (let point = 0; point < ${POINTS}; point++) {
    rows.loss.push((await trainer.step(${total / POINTS})).loss);
    const { metrics } = await trainer.evaluate({ numSamples: 1 });
    rows.previous.push(metrics.previous_token);
    rows.matching.push(metrics.prefix_matching);
  }
  rows.composition.push(...(await trainer.kComposition({ fromLayer: 0, toLayer: 1 })).data);
  // Without the first head of layer 1:
  await trainer.ablateHeads([{ layer: 0, head: 0 }]);
  console.log(await trainer.evaluate({ numSamples: 64 }));
  trainer.dispose();
}
const tensor = (values, columns) => ({ shape: [values.length / columns, columns], data: Float32Array.from(values) });
const loss = tensor(rows.loss, ${POINTS});
const previous = tensor(rows.previous, ${POINTS});
const matching = tensor(rows.matching, ${POINTS});
const composition = tensor(rows.composition, ${count || 4});
`,
  };
}
