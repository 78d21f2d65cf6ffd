// Exported programs that compute how much each head uses each frequency. The Python program reads the exported queries and keys; the
// JavaScript program runs the model.
import type { SourceCode } from '../../contract/kind.ts';
import { pythonArray, pythonProgram } from '../../export/python-program.ts';
import type { TrainingCommand } from './code.ts';
import type { FrequencyResults } from './frequencies.ts';
import { describeModel, modelCode, toLiteral } from './model-code.ts';

export function frequenciesCode(results: FrequencyResults, training: TrainingCommand): SourceCode {
  const { modelInput, layers, heads, trainedLength, channels, q, k } = results;
  const [headCount = 1, characterCount = 1, width = 1] = q.shape;
  const halfCount = channels.length / 2;
  const shape = [headCount * characterCount, width];
  return {
    ...pythonProgram({
      imports: ['from rope_analysis import frequency_use'],
      values: { q: pythonArray('q', { shape, data: q.data }), k: pythonArray('k', { shape, data: k.data }) },
      data: training.data,
      lines: [
        '',
        `# Queries and keys of ${describeModel(results)} for ${characterCount} characters, before rotation.`,
        ...training.comments,
        `queries, keys = (x.reshape(${headCount}, ${characterCount}, ${width}) for x in (q, k))`,
        `pairs = ${toLiteral(channels)}  # the two channels of each pair, from the fastest pair to the slowest`,
        `products = frequency_use(queries, keys, pairs, ${trainedLength})`,
        'shares = products / products.sum(axis=1, keepdims=True)',
        `halves = np.stack([shares[:, :${halfCount}].sum(axis=1), shares[:, ${halfCount}:].sum(axis=1)], axis=1)`,
        'halves = np.vstack([halves, halves.mean(axis=0)])',
      ],
    }),
    phasor: `${modelCode(results)}const tokens = await trainer.tokens(${toLiteral(modelInput.characters.join(''))});
// The two channels of each pair, from the fastest pair to the slowest.
const pairs = ${toLiteral(channels)};
const sums = Array.from({ length: ${layers * heads} }, () => pairs.map(() => 0));
let visibleCount = 0;
// Processes chunks of the training length.
for (let start = 0; start < tokens.length; start += ${trainedLength}) {
  const chunk = tokens.slice(start, start + ${trainedLength});
  // [layers, heads, characters, headDim], before rotation.
  const { q, k } = await trainer.queriesAndKeys(chunk);
  visibleCount += (chunk.length * (chunk.length + 1)) / 2;
  sums.forEach((headSums, head) =>
    pairs.forEach(([a, b], pair) => {
      let keyLengths = 0;
      for (let at = 0; at < chunk.length; at++) {
        const row = (head * chunk.length + at) * ${width};
        // A query attends to its own character and all earlier ones.
        keyLengths += Math.hypot(k.data[row + a], k.data[row + b]);
        headSums[pair] += Math.hypot(q.data[row + a], q.data[row + b]) * keyLengths;
      }
    }),
  );
}
trainer.dispose();
const means = sums.flat().map((sum) => sum / visibleCount);
const products = { shape: [${headCount}, ${channels.length}], data: Float32Array.from(means) };
const sumOfHead = (head) => means.slice(head * ${channels.length}, (head + 1) * ${channels.length}).reduce((sum, mean) => sum + mean);
const shares = { shape: [${headCount}, ${channels.length}], data: Float32Array.from(means, (mean, at) => mean / sumOfHead(Math.floor(at / ${channels.length}))) };
`,
  };
}
