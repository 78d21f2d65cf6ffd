// Generates programs that compute mean attention weights over a long sequence. The Python program computes one row of cells at a time,
// because the full matrix would not fit into memory.
import type { EncodingInfo, Tensor } from '../../../engine/index.ts';
import { resolveRegion } from '../../compute/region.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { createEncodingCall } from '../../export/encoding-call.ts';
import { formatJsEncoding } from '../../export/encoding-choice.ts';
import { pythonArray, pythonProgram } from '../../export/python-program.ts';
import type { AttentionMapSpec } from './compute.ts';

/** Returns JavaScript that assigns the token vectors to `x`: random vectors, or embeddings from an exported file. */
function tokensCode({ length, dim, seed }: AttentionMapSpec, count: number, distinctCount: number, isText: boolean): string {
  if (isText)
    return `// The word embeddings, which the figure exports as a file.
const file = await readFile('embeddings.npy');
const embeddings = { shape: [${count}, ${dim}], data: new Float32Array(Uint8Array.from(file.subarray(-4 * ${count * dim})).buffer) };
const x = { shape: [1, ${count}, ${dim}], data: embeddings.data };
`;
  return `// Repeats ${distinctCount} random vectors.
const { data: vectors } = phasor.randomNormal({ seed: ${seed}, shape: [${distinctCount}, ${dim}] });
const x = { shape: [1, ${length}, ${dim}], data: Float32Array.from({ length: ${length * dim} }, (_, at) => vectors[at % vectors.length]) };
`;
}

const prefixMaskCode = (length: number, prefix: number): string => `// Each query sees the prefix and all keys up to its own position.
const isVisible = (_, at) => Number(at % ${length} <= Math.floor(at / ${length}) || at % ${length} < ${prefix});
const attnMask = { shape: [${length}, ${length}], data: Uint8Array.from({ length: ${length ** 2} }, isVisible) };
`;

interface Sequence {
  readonly length: number;
  readonly words: readonly string[] | undefined;
  /** [1, tokens, dim] */
  readonly x?: Tensor;
}

export function code(spec: AttentionMapSpec, encodings: readonly EncodingInfo[], sequence?: Sequence): SourceCode {
  const { mask, dim, window, period, prefixLength } = spec;
  const hasPrefix = mask === 'causal' && prefixLength > 0;
  const { length, words: text, x } = sequence ?? { length: spec.length, words: undefined };
  const isText = text !== undefined;
  const distinctCount = period === 0 ? length : Math.min(period, length);
  const { rows, columns, cell } = resolveRegion(spec, length);
  const count = isText ? length : distinctCount;
  const vectors = x && { shape: [count, dim], data: x.data.subarray(0, count * dim) };
  const options = [
    ...(hasPrefix ? [`, prefix_length=${prefixLength}`] : mask === 'none' ? [] : [`, mask='${mask}'`]),
    ...(window > 0 ? [`, window=${window}`] : []),
  ].join('');
  return {
    ...pythonProgram({
      imports: ['from analysis import attention_map'],
      values: {
        encoding: createEncodingCall(spec.encoding, encodings, { headDim: dim }),
        [isText ? 'embeddings' : 'vectors']: pythonArray(isText ? 'embeddings' : 'vectors', vectors),
      },
      lines: [
        isText ? 'x = embeddings[None]' : `x = vectors[np.arange(${length}) % ${distinctCount}][None]`,
        `means = attention_map(x, encoding, [${rows.join(', ')}], [${columns.join(', ')}], ${cell}${options})`,
      ],
    }),
    phasor: `${isText ? "import { readFile } from 'node:fs/promises';\n" : ''}import { createPhasor } from 'phasor';

const phasor = await createPhasor();
${tokensCode(spec, length, distinctCount, isText)}const v = { shape: [1, ${length}, 1], data: new Float32Array(${length}) };
${hasPrefix ? prefixMaskCode(length, prefixLength) : ''}const region = { rows: [${rows.join(', ')}], columns: [${columns.join(', ')}], cellSize: [${cell}, ${cell}] };
const { pooledWeights: map } = phasor.attention({ q: x, k: x, v, encoding: ${formatJsEncoding(spec.encoding)}, ${hasPrefix ? 'attnMask' : `mask: '${mask}'`},${
      window > 0 ? ` window: ${window},` : ''
    } outputs: ['pooledWeights'], pooling: region });
const means = { shape: map.mean.shape.slice(1), data: map.mean.data };
`,
  };
}
