// Code for the figure: each method's encoding, and the attention of a query to equal keys.
import type { EncodingInfo } from '../../../engine/index.ts';
import { type EncodingSpec, splitList } from '../../contract/fields.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { createEncodingCall } from '../../export/encoding-call.ts';
import { pythonArray, pythonProgram } from '../../export/python-program.ts';
import type { Spec } from './index.ts';
import { createMethodEncoding, type MethodId } from './methods.ts';
import { RECORDING } from './recording.ts';

export function code(spec: Spec, allEncodings: readonly EncodingInfo[]): SourceCode {
  const { trained, factor, dim } = spec;
  const methods = splitList(spec.methods) as MethodId[];
  const { command, lengths, loss } = RECORDING;
  const recordedLosses = { shape: [methods.length, lengths.length], data: Float32Array.from(methods.flatMap((id) => loss[id])) };
  const encodingCalls = methods.map((id) =>
    createEncodingCall(createMethodEncoding(id, { trained, factor }) as EncodingSpec, allEncodings, { headDim: dim }),
  );
  const encodings = methods.map((id) => `  ${id}: ${JSON.stringify(createMethodEncoding(id, { trained, factor }))},`).join('\n');
  return {
    ...pythonProgram({
      imports: ['from rope_analysis import unseen_angles', ...encodingCalls.map(({ importLine }) => importLine)],
      values: { loss: pythonArray('loss', recordedLosses) },
      lines: [
        '',
        `# loss (methods, lengths ${lengths.join(', ')}), recorded: ${command}`,
        'methods = {',
        ...encodingCalls.map(({ expression }, index) => `    '${methods[index]}': ${expression},`),
        '}',
        `results = [unseen_angles(method, ${dim}, trained=${trained}, length=${trained * factor}) for method in methods.values()]`,
        'unseen, taken, weights, means = (np.array(each) for each in zip(*results))',
        'shares = means[:, None]',
      ],
    }),
    phasor: `import { createPhasor } from 'phasor';

const phasor = await createPhasor();
const [trained, factor, width] = [${trained}, ${factor}, ${dim}];
const length = trained * factor;
const methods = {
${encodings}
};
const positions = Array.from({ length }, (_, position) => position);
const ones = (count) => ({ shape: [1, count, width], data: new Float32Array(count * width).fill(1) });
const originalFrequencies = phasor.ropeFrequencies({ encoding: 'rope', dim: width }).invFreq.data;
const rows = Object.values(methods).map((encoding) => {
  const distances = phasor.ropeDistances({ encoding, dim: width, queryPositions: positions, keyPositions: positions }).data;
  const frequencies = phasor.ropeFrequencies({ encoding, dim: width }).invFreq.data;
  const attentionInputs = { k: ones(length), v: { shape: [1, length, 1], data: new Float32Array(length) }, encoding, mask: 'causal' };
  const { scores } = phasor.attention({ ...attentionInputs, q: ones(length), scale: 1 / width, outputs: ['scores'] });
  const lastWeights = phasor.attention({ ...attentionInputs, q: ones(1), outputs: ['weights'] }).weights.data;
  const unseenFraction = (distance) =>
    originalFrequencies.filter((frequency, pair) => trained * frequency < 2 * Math.PI && distance * frequencies[pair] > trained * frequency * (1 + 1e-6)).length /
    originalFrequencies.length;
  let [sum, visibleCount] = [0, 0];
  scores.data.forEach((score, cell) => {
    if (score === -Infinity) return;
    sum += unseenFraction(distances[cell]);
    visibleCount += 1;
  });
  // The cells of the last query, from the nearest key to the farthest.
  const cells = positions.map((distance) => length * length - 1 - distance);
  const taken = cells.map((cell) => (scores.data[cell] === -Infinity ? NaN : distances[cell]));
  const weights = taken.map((distance, at) => (Number.isNaN(distance) ? NaN : lastWeights[length - 1 - at]));
  return { share: sum / visibleCount, taken, weights, unseen: taken.map((distance) => (Number.isNaN(distance) ? NaN : unseenFraction(distance))) };
});
const table = (of) => ({ shape: [rows.length, length], data: Float32Array.from(rows.flatMap((row) => row[of])) });
const [unseen, taken, weights] = ['unseen', 'taken', 'weights'].map(table);
const shares = { shape: [rows.length, 1], data: Float32Array.from(rows, ({ share }) => share) };
// Recorded: ${command}
const loss = { shape: [rows.length, ${lengths.length}], data: Float32Array.from([${methods.map((id) => loss[id].join(', ')).join(', ')}]) };
`,
  };
}
