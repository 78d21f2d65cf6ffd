import type { EncodingInfo } from '../../../engine/index.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { createEncodingCall } from '../../export/encoding-call.ts';
import { formatJsEncoding } from '../../export/encoding-choice.ts';
import { pythonProgram } from '../../export/python-program.ts';
import { selectKeyPositions } from './compute.ts';
import type { Spec } from './index.ts';

const listLiteral = (points: readonly (readonly number[])[]): string =>
  `[\n${points.map((positions) => `    [${positions.join(', ')}],\n`).join('')}]`;

export function code({ encoding, dim, length, apart }: Spec, encodings: readonly EncodingInfo[]): SourceCode {
  const points = selectKeyPositions(length);
  return {
    ...pythonProgram({
      imports: ['from rope_analysis import rounding_errors'],
      values: { encoding: createEncodingCall(encoding, encodings, { headDim: dim }) },
      lines: [`points = ${listLiteral(points)}`, `errors = rounding_errors(encoding, ${dim}, ${apart}, points)`],
    }),
    phasor: `import { createPhasor } from 'phasor';

const phasor = await createPhasor();
const encoding = ${formatJsEncoding(encoding)};
const [width, apart, lineCount] = [${dim}, ${apart}, 5];
const points = ${listLiteral(points)};
const float32View = new DataView(new ArrayBuffer(4));
const toBfloat16 = (value) => {
  float32View.setFloat32(0, value);
  const float32Bits = float32View.getUint32(0);
  float32View.setUint32(0, (float32Bits + 0x7fff + ((float32Bits >>> 16) & 1)) & 0xffff0000);
  return float32View.getFloat32(0);
};
const toFloat32 = Math.fround;
const roundedRotation = (angle) => [toFloat32(Math.cos(angle)), toFloat32(Math.sin(angle))];
const programs = [
  (position, frequency) => roundedRotation(toFloat32(position * frequency)),
  (position, frequency) => roundedRotation(toFloat32(position * frequency)).map(toBfloat16),
  (position, frequency) => roundedRotation(toFloat32(position * toBfloat16(frequency))),
  (position, frequency) => roundedRotation(toBfloat16(toBfloat16(position) * toBfloat16(frequency))),
];
const { invFreq, attentionFactor } = phasor.ropeFrequencies({ encoding, dim: width });
const frequencies = Float32Array.from(invFreq.data);
const computeScore = (program, key, query) => {
  let total = 0;
  for (const frequency of frequencies) {
    const [keyCosine, keySine] = program(key, frequency);
    const [queryCosine, querySine] = program(query, frequency);
    total += keyCosine * queryCosine + keySine * querySine;
  }
  return total / frequencies.length;
};
const rotate = (position) =>
  phasor.applyRotary({ shape: [1, 1, width], data: new Float32Array(width).fill(1) }, { encoding, positions: [position] }).data;
const computeCoreScore = (key, query) => {
  const [a, b] = [rotate(key), rotate(query)];
  let total = 0;
  for (let channel = 0; channel < width; channel++) total += a[channel] * b[channel];
  return (total - (width - 2 * frequencies.length)) / (2 * frequencies.length * attentionFactor * attentionFactor);
};
const exactScore = frequencies.reduce((sum, frequency) => sum + Math.cos(apart * frequency), 0) / frequencies.length;
const errors = { shape: [points.length, lineCount], data: new Float32Array(points.length * lineCount) };
points.forEach((samples, point) => {
  const maxError = (scoreOf) => Math.max(...samples.map((position) => Math.abs(scoreOf(position, position + apart) - exactScore)));
  errors.data.set([maxError(computeCoreScore), ...programs.map((program) => maxError((key, query) => computeScore(program, key, query)))], point * lineCount);
});
`,
  };
}
