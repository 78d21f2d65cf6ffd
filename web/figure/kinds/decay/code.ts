import type { EncodingInfo } from '../../../engine/index.ts';
import { encodingSpec } from '../../contract/fields.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { randomNormal } from '../../export/drawn-parameters.ts';
import { createEncodingCall } from '../../export/encoding-call.ts';
import { formatJsEncoding } from '../../export/encoding-choice.ts';
import { pythonArray, pythonProgram } from '../../export/python-program.ts';
import { INITIAL_STD, NUM_QUERIES } from './compute.ts';
import type { Spec } from './index.ts';

export function code({ encoding, dim, length, seed }: Spec, encodings: readonly EncodingInfo[]): SourceCode {
  const randomEncoding = encodingSpec('learned', { seed, max_length: NUM_QUERIES + 1 });
  return {
    ...pythonProgram({
      imports: ['from rope_analysis import score_decay'],
      values: {
        encoding: createEncodingCall(encoding, encodings, { headDim: dim }),
        vectors: pythonArray('vectors', randomNormal(seed, [NUM_QUERIES + 1, dim], INITIAL_STD)),
      },
      lines: [`decay = score_decay(encoding, ${dim}, np.arange(${length}), vectors[:-1], vectors[-1], ${INITIAL_STD})`],
    }),
    phasor: `import { createPhasor } from 'phasor';

const phasor = await createPhasor();
const encoding = ${formatJsEncoding(encoding)};
const [width, length, count] = [${dim}, ${length}, ${NUM_QUERIES}];
const positions = Array.from({ length }, (_, position) => position);
const computeScores = (queries, key) =>
  phasor.attention({
    q: { shape: [1, queries.length / width, width], data: queries },
    k: { shape: [1, length, width], data: Float32Array.from({ length: length * width }, (_, at) => key[at % width]) },
    v: { shape: [1, length, 1], data: new Float32Array(length) },
    encoding,
    queryPositions: new Array(queries.length / width).fill(0),
    keyPositions: positions,
    scale: 1,
    outputs: ['scores'],
  }).scores.data;
const ones = new Float32Array(width).fill(1);
const onesScores = computeScores(ones, ones);
const vectors = phasor.positionTable({ encoding: ${formatJsEncoding(randomEncoding)}, length: count + 1, dim: width }).data;
const key = vectors.slice(count * width);
const unrelatedScores = computeScores(vectors.slice(0, count * width), key);
const expectedSquare = count * ${INITIAL_STD} * ${INITIAL_STD} * key.reduce((sum, value) => sum + value * value, 0);
const angles = phasor.rotaryAngles({ encoding, length, dim: width });
const computeBound = (row) => {
  let [cosine, sine, total] = [0, 0, 0];
  for (const angle of row) {
    cosine += Math.cos(angle);
    sine += Math.sin(angle);
    total += Math.hypot(cosine, sine);
  }
  return (2 * total) / (row.length * (row.length + 1));
};
const decay = { shape: [length, 3], data: new Float32Array(3 * length) };
for (const distance of positions) {
  const row = angles.data.subarray(distance * angles.shape[1], (distance + 1) * angles.shape[1]);
  let squareSum = 0;
  for (let query = 0; query < count; query++) squareSum += unrelatedScores[query * length + distance] ** 2;
  decay.data.set([onesScores[distance] / width, computeBound(row), Math.sqrt(squareSum / expectedSquare)], 3 * distance);
}
`,
  };
}
