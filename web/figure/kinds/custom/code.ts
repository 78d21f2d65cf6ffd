import type { EncodingInfo, Tensor } from '../../../engine/index.ts';
import { resolveRegion } from '../../compute/region.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { createEncodingCall } from '../../export/encoding-call.ts';
import { formatJsEncoding } from '../../export/encoding-choice.ts';
import { pythonArray, pythonProgram } from '../../export/python-program.ts';
import { type CustomResults, type CustomSpec, EXAMPLE_REQUEST } from './compute.ts';

const formatShape = ({ shape }: Tensor): string => `[${shape.join(', ')}]`;

const readArrayCode = (name: string, tensor: Tensor): string =>
  `const ${name} = { shape: ${formatShape(tensor)}, data: readNumbers(await readFile('${name}.npy'), ${tensor.data.length}) };\n`;
const IMPORT_READ_FILE = `import { readFile } from 'node:fs/promises';
`;
const READ_NUMBERS_CODE = `// Reads .npy files that contain float32 values in C order.
const readNumbers = (file, count) => new Float32Array(Uint8Array.from(file.subarray(-4 * count)).buffer);
`;

export function code(spec: CustomSpec, encodings: readonly EncodingInfo[], results?: CustomResults): SourceCode {
  if (!results) throw new Error('the program needs arrays; wait until the figure has computed them');
  const { arrays, queries, keys, isExample } = results;
  const { head, mask, window } = spec;
  const { rows, columns, cell } = resolveRegion(spec, queries, keys);
  if ('weights' in arrays) {
    return {
      ...pythonProgram({
        values: { weights: pythonArray('weights', arrays.weights) },
        lines: [`weights = weights[${head}, ${rows.join(':')}, ${columns.join(':')}]`],
      }),
      phasor: `${IMPORT_READ_FILE}${READ_NUMBERS_CODE}${readArrayCode('allWeights', arrays.weights).replace('allWeights.npy', 'weights.npy')}const rows = Array.from({ length: ${
        rows[1] - rows[0]
      } }, (_, row) => {
  const rowStart = (${head * queries + rows[0]} + row) * ${keys};
  return [...allWeights.data.subarray(rowStart + ${columns[0]}, rowStart + ${columns[1]})];
});
const weights = { shape: [rows.length, ${columns[1] - columns[0]}], data: Float32Array.from(rows.flat()) };
`,
    };
  }
  const { q, k } = arrays;
  const [heads = 0, , headDim = 0] = q.shape;
  const [kvHeads = 0] = k.shape;
  const options = [...(mask === 'none' ? [] : [`, mask='${mask}'`]), ...(window > 0 ? [`, window=${window}`] : [])].join('');
  const inputsCode = isExample
    ? `const q = phasor.randomNormal({ seed: ${EXAMPLE_REQUEST.seed}, shape: [${EXAMPLE_REQUEST.shape.join(', ')}] });\nconst k = q;\n`
    : `${READ_NUMBERS_CODE}${readArrayCode('q', q)}${readArrayCode('k', k)}`;
  return {
    ...pythonProgram({
      imports: ['from attention import attention'],
      values: {
        q: pythonArray('q', q),
        k: pythonArray('k', k),
        encoding: createEncodingCall(spec.encoding, encodings, { heads, headDim }),
      },
      lines: [
        ...(kvHeads < heads ? [`k = np.repeat(k, ${heads / kvHeads}, axis=0)`] : []),
        `weights = attention(q, k, np.zeros((${heads}, ${keys}, 1)), encoding${options}).weights`,
        `weights = weights[${head}, ${rows.join(':')}, ${columns.join(':')}]`,
        ...(cell > 1
          ? [
              `cells = [[weights[i : i + ${cell}, j : j + ${cell}] for j in range(0, weights.shape[1], ${cell})] for i in range(0, weights.shape[0], ${cell})]`,
              'weights = np.array([[cell.mean() for cell in row] for row in cells])',
            ]
          : []),
      ],
    }),
    phasor: `${isExample ? '' : IMPORT_READ_FILE}import { createPhasor } from 'phasor';

const phasor = await createPhasor();
${inputsCode}const v = { shape: [${kvHeads}, ${keys}, 1], data: new Float32Array(${kvHeads * keys}) };
const pooling = { rows: [${rows.join(', ')}], columns: [${columns.join(', ')}], cellSize: [${cell}, ${cell}] };
const { pooledWeights } = phasor.attention({ q, k, v, encoding: ${formatJsEncoding(spec.encoding)}, mask: '${mask}',${
      window > 0 ? ` window: ${window},` : ''
    } outputs: ['pooledWeights'], pooling });
const [, queries, keys] = pooledWeights.mean.shape;
const headStart = ${head} * queries * keys;
const weights = { shape: [queries, keys], data: pooledWeights.mean.data.subarray(headStart, headStart + queries * keys) };
`,
  };
}
