// Generates a JavaScript program that trains and probes the model, and a Python program with the measured values.
import type { EncodingInfo } from '../../../engine/index.ts';
import { formatSource, formatSourceComment } from '../../compute/training-source.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { pythonArray, pythonProgram } from '../../export/python-program.ts';
import { createTrainerCommand } from '../../export/trainer-program.ts';
import type { Results } from './compute.ts';
import type { Spec } from './index.ts';

export function code({ seed }: Spec, _: readonly EncodingInfo[], results: Results): SourceCode {
  const { lengths, errors, errorsByLength, chance, probedStep, spec } = results;
  const training = createTrainerCommand(spec, 'probe_none');
  return {
    ...pythonProgram({
      values: {
        errors: pythonArray('errors', errors),
        byLength: pythonArray('byLength', errorsByLength),
        chance: pythonArray('chance', chance),
      },
      data: training.data,
      lines: [
        '',
        formatSourceComment(results, formatSource(results, probedStep)),
        '# errors: (models, layers). Models: causal and trained; causal and untrained; unmasked and untrained.',
        '# byLength: (layers, lengths), errors of the first model on texts of each length.',
        '# A probe is a network with 64 hidden units that predicts the position of a token from its hidden state.',
        training.comment,
        `lengths = np.array([${lengths.join(', ')}])`,
        'shares = errors / chance[-1]',
      ],
    }),
    phasor: `import { createTrainer } from 'phasor/train';

// The website's text. Any other text works as well.
const corpus = await (await fetch('pride-and-prejudice.txt')).text();
const lengths = [${lengths.join(', ')}];
const probeErrors = async (trainer) => {
  const { metrics } = await trainer.evaluate({ numSamples: 1 });
  return [0, 1, 2].map((layer) => metrics['probe_error_layer_' + layer]);
};
const createModel = (causal, length) => createTrainer({ task: 'probe', corpus, causal, seed: ${seed}, sequenceLength: length });
const trainer = await createModel(true, lengths.at(-1));
const untrained = await probeErrors(trainer);
const unmasked = await probeErrors(await createModel(false, lengths.at(-1)));
await trainer.step(${probedStep});
const trained = await probeErrors(trainer);
// [models, layers]
const errors = { shape: [3, 3], data: Float32Array.from([...trained, ...untrained, ...unmasked]) };
const weights = await trainer.saveWeights();
const rows = [];
for (const length of lengths) {
  const shorter = await createModel(true, length);
  await shorter.loadWeights(weights);
  rows.push(await probeErrors(shorter));
  shorter.dispose();
}
// [layers, lengths]
const byLength = { shape: [3, lengths.length], data: Float32Array.from([0, 1, 2].flatMap((layer) => rows.map((row) => row[layer]))) };
const chance = { shape: [lengths.length], data: Float32Array.from(lengths, (length) => (length - 1) / 4) };
trainer.dispose();
`,
  };
}
