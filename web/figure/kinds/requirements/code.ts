import type { EncodingInfo } from '../../../engine/index.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { withAnalysis } from '../../export/analysis-import.ts';
import { randomNormal } from '../../export/drawn-parameters.ts';
import { createEncodingCall } from '../../export/encoding-call.ts';
import { formatJsEncoding } from '../../export/encoding-choice.ts';
import { pythonArray, pythonProgram } from '../../export/python-program.ts';
import { LENGTH_FACTOR, MAX_GROWTH, type Results } from './findings.ts';
import { getLineLength, getQuantity, type Quantity, type Spec } from './sources.ts';

/** For each quantity, the class in requirements.py that computes it. */
const SOURCE_CLASSES: { readonly [Each in Quantity]: string } = { vector: 'PositionVectors', key: 'RotatedKeys', bias: 'Biases' };

function createPythonParts(quantity: Quantity, spec: Spec, encodings: readonly EncodingInfo[], lineLength: number) {
  const { encoding, length, dim, heads, mask, seed } = spec;
  const dims = quantity === 'vector' ? { embedDim: dim } : { heads, headDim: dim / heads };
  const vector = (name: string, vectorSeed: number) => ({
    [name]: pythonArray(name, randomNormal(vectorSeed % 2 ** 32, [heads, 1, dim / heads])),
  });
  const causalLiteral = mask === 'causal' ? 'True' : 'False';
  const sourceArguments = { vector: `${dim}`, key: 'q, k', bias: `q, k, causal=${causalLiteral}` }[quantity];
  return {
    imports: [`from requirements import ${SOURCE_CLASSES[quantity]}, measure`],
    values: {
      encoding: createEncodingCall(encoding, encodings, dims),
      ...(quantity === 'vector' ? {} : { ...vector('q', seed), ...vector('k', seed + 1) }),
    },
    lines: [`requirements = measure(${SOURCE_CLASSES[quantity]}(encoding, ${sourceArguments}), length=${length}, line=${lineLength})`],
  };
}

const SETUP = `import { createPhasor } from 'phasor';

const phasor = await createPhasor();
`;

function createJsSource(quantity: Quantity, spec: Spec, choice: string, lineLength: number): string {
  const { length, dim, heads, mask, seed } = spec;
  const nextSeed = (seed + 1) % 2 ** 32;
  const firstRowsFunction = `const firstRows = (length, count) => {
  const { shape: [, columns], data } = vectors(length);
  return { shape: [count, columns], data: data.slice(0, count * columns) };
};
`;
  if (quantity === 'vector') {
    return `${SETUP}const length = ${length};
const vectors = (length) => phasor.positionTable({ encoding: ${choice}, length, dim: ${dim} });
${firstRowsFunction}const products = [analysis.similarity(phasor, { table: vectors(length), metric: 'dot' })];
`;
  }
  const setup = `${SETUP}const [length, heads, width] = [${length}, ${heads}, ${dim / heads}];
const encoding = ${choice};
const q = phasor.randomNormal({ seed: ${seed}, shape: [heads, width] });
const k = phasor.randomNormal({ seed: ${nextSeed}, shape: [heads, width] });
// The same vector at every token.
const tokens = (x, count) => ({ shape: [heads, count, width], data: x.data, strides: [width, 0, 1] });
`;
  if (quantity === 'key') {
    return `${setup}const vectors = (length, x = k, role = 'key') => {
  const { data } = phasor.applyRotary(tokens(x, length), { encoding, role });
  const rows = Array.from({ length }, (_, token) =>
    Array.from({ length: heads }, (_, head) => [...data.subarray((head * length + token) * width, (head * length + token + 1) * width)]),
  );
  return { shape: [length, heads * width], data: Float32Array.from(rows.flat(2)) };
};
${firstRowsFunction}const queryAndKeyRows = Float32Array.of(...vectors(${lineLength}, q, 'query').data, ...vectors(${lineLength}).data);
const { data: all } = analysis.similarity(phasor, { table: { shape: [${2 * lineLength}, heads * width], data: queryAndKeyRows }, metric: 'dot' });
const products = [
  {
    shape: [${lineLength}, ${lineLength}],
    data: Float32Array.from({ length: ${lineLength * lineLength} }, (_, at) => all[Math.floor(at / ${lineLength}) * ${2 * lineLength} + ${lineLength} + (at % ${lineLength})]),
  },
];
`;
  }
  const isCausal = mask === 'causal';
  return `${setup}const biases = (queries, keys, request) =>
  phasor.attention({ q: tokens(q, queries), k: tokens(k, keys), v: tokens(k, keys), encoding, ...request, outputs: ['bias'] }).bias.data;
const vectors = (length) => {
  const data = biases(1, length, { positionOffset: ${isCausal ? 'length - 1' : 'Math.floor(length / 2)'} });
  return { shape: [length, heads], data: Float32Array.from({ length: length * heads }, (_, at) => data[(at % heads) * length + Math.floor(at / heads)]) };
};
const matrices = (length, count) => {
  const data = biases(length, length);
  return Array.from({ length: heads }, (_, head) => ({
    shape: [count, count],
    data: Float32Array.from({ length: count * count }, (_, at) => {
      const [query, key] = [Math.floor(at / count), at % count];
      return ${isCausal ? 'key > query ? 0 : ' : ''}data[(head * length + query) * length + key];
    }),
  }));
};
const firstRows = (length, count) => ({
  shape: [heads * count, count],
  data: Float32Array.from(matrices(length, count).flatMap(({ data }) => [...data])),
});
const products = matrices(length, length);
`;
}

function createJsChecks(results: Results | undefined, { length }: Spec, lineLength: number): string {
  const steps = lineLength < length ? lineLength - 1 : 'length - 1';
  const isRejected = (name: 'bounded' | 'length'): boolean => results?.findings[name].rejection !== undefined;
  return `const table = vectors(length);
const columns = table.shape[1];
const { closestDistance, maxNorm } = analysis.tableStatistics(phasor, { table });
const differences = Float32Array.from({ length: (${steps}) * columns }, (_, at) => table.data[at + columns] - table.data[at]);
const { maxNorm: maxStep } = analysis.tableStatistics(phasor, { table: { shape: [${steps}, columns], data: differences } });
const spread = Math.max(...products.map((matrix) => analysis.distanceProfile(phasor, { matrix }).spread));
const tolerance = 1e-5 * Math.max(1, ...products.map((table) => analysis.tableStatistics(phasor, { table }).maxAbs));
${
  isRejected('bounded')
    ? 'const boundedResult = [0, 0, -1]; // longer texts are rejected'
    : `const { maxNorm: longerNorm } = analysis.tableStatistics(phasor, { table: vectors(${LENGTH_FACTOR} * length) });
const boundedResult = [longerNorm, ${MAX_GROWTH} * maxNorm, Number(longerNorm <= ${MAX_GROWTH} * maxNorm)];`
}
${
  isRejected('length')
    ? 'const lengthResult = [0, 0, 0]; // longer texts are rejected'
    : `const originalTable = firstRows(length, length);
const order = originalTable.data.slice(0, originalTable.shape[0]).map((_, row) => row);
const { maxAbsDiff } = analysis.permutationError(phasor, { before: originalTable, after: firstRows(2 * length, length), order });
const lengthResult = [maxAbsDiff, 1e-6 * maxNorm, Number(maxAbsDiff <= 1e-6 * maxNorm)];`
}
const requirements = {
  shape: [5, 3],
  data: Float32Array.of(
    ...[closestDistance, maxNorm / 256, Number(closestDistance > 0 && closestDistance >= maxNorm / 256)],
    ...boundedResult,
    ...lengthResult,
    ...[maxStep, maxNorm, Number(maxStep < maxNorm)],
    ...[spread, tolerance, Number(spread <= tolerance)],
  ),
};
`;
}

export function code(spec: Spec, encodings: readonly EncodingInfo[], results?: Results): SourceCode {
  const injection = encodings.find(({ id }) => id === spec.encoding.id)?.injection ?? 'input';
  if (injection === 'none') {
    return {
      // Without an encoding there is nothing to measure.
      ...pythonProgram({ lines: ['requirements = np.array([[0.0, 0.0, 0.0]] + 4 * [[0.0, 0.0, -1.0]])'] }),
      phasor: 'const requirements = { shape: [5, 3], data: Float32Array.of(0, 0, 0, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1) };\n',
    };
  }
  const quantity = getQuantity(injection);
  const lineLength = getLineLength(spec, { encodings });
  return {
    ...pythonProgram(createPythonParts(quantity, spec, encodings, lineLength)),
    phasor: withAnalysis(
      createJsSource(quantity, spec, formatJsEncoding(spec.encoding), lineLength) + createJsChecks(results, spec, lineLength),
    ),
  };
}
