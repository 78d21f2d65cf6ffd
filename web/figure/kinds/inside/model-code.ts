// The model of a figure as JavaScript: as shipped, or trained up to the displayed step.
import { corpusFromAlphabet } from '../../runtime/shipped-models.ts';
import { stepShown, type Training } from './model.ts';

export const literal = (value: unknown): string => JSON.stringify(value);

/** JavaScript that runs this many training steps on an existing trainer. */
export const stepsCode = (step: number): string => (step === 0 ? '' : `await trainer.step(${step});\n`);

export const modelName = (training: Training): string =>
  training.origin === 'recorded'
    ? training.model.file
    : `the model that was trained here, seed ${training.spec.seed}, after ${stepShown(training)} steps`;

/** A program that creates the model as `trainer`. */
export function modelCode(training: Training): string {
  const { origin, model, spec } = training;
  if (origin === 'live')
    return `import { createTrainer } from 'phasor/train';

// A file in the folder data/ of the site.
const novel = await fetch('${model.text?.file.split('/').at(-1)}');
const trainer = await createTrainer({ ...${literal({ ...model.spec, seed: spec.seed })}, corpus: await novel.text() });
${stepsCode(stepShown(training))}`;
  const { symbols = '' } = model.text ?? {};
  const { length } = corpusFromAlphabet(symbols, Math.max(...model.lengths.map((score) => score.length)));
  return `import { createTrainer } from 'phasor/train';

// The model needs only the symbols of its text.
const symbols = ${literal(symbols)};
const corpus = symbols.repeat(${length / symbols.length});
const trainer = await createTrainer({ ...${literal(model.spec)}, corpus });
// A file in the folder models/ of the site.
const file = await fetch('${model.file}');
await trainer.loadWeights(await file.arrayBuffer());
`;
}
