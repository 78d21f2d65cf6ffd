// JavaScript code that creates the figure's model: loads the shipped weights, or trains up to the displayed step.
import { createCorpus } from '../../runtime/shipped-models.ts';
import { getDisplayedStep, type Training } from './model.ts';

export const toLiteral = (value: unknown): string => JSON.stringify(value);

export const stepsCode = (step: number): string => (step === 0 ? '' : `await trainer.step(${step});\n`);

export const describeModel = (training: Training): string =>
  training.origin === 'recorded'
    ? training.model.file
    : `the model trained in the browser with seed ${training.config.seed}, after ${getDisplayedStep(training)} steps`;

export function modelCode(training: Training): string {
  const { origin, model, config } = training;
  if (origin === 'live')
    return `import { createTrainer } from 'phasor/train';

// A file from the website's folder data/.
const novel = await fetch('${model.text?.file.split('/').at(-1)}');
const trainer = await createTrainer({ ...${toLiteral({ ...model.spec, seed: config.seed })}, corpus: await novel.text() });
${stepsCode(getDisplayedStep(training))}`;
  const { symbols = '' } = model.text ?? {};
  const { length } = createCorpus(symbols, Math.max(...model.lengths.map((score) => score.length)));
  return `import { createTrainer } from 'phasor/train';

// The corpus only has to define the vocabulary, because the weights are loaded below.
const symbols = ${toLiteral(symbols)};
const corpus = symbols.repeat(${length / symbols.length});
const trainer = await createTrainer({ ...${toLiteral(model.spec)}, corpus });
// A file from the website's folder models/.
const file = await fetch('${model.file}');
await trainer.loadWeights(await file.arrayBuffer());
`;
}
