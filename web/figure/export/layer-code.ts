// Generates the code that applies an attention layer to a sentence, for Python and JavaScript programs.
import type { EncodingInfo, Tensor } from '../../engine/index.ts';
import type { LayerSpec } from '../compute/sentence-fields.ts';
import { shortestDecimal } from './csv.ts';
import { orthogonalProjections } from './drawn-parameters.ts';
import { createEncodingCall } from './encoding-call.ts';
import { formatJsEncoding } from './encoding-choice.ts';
import { pythonArray } from './python-program.ts';

/** Longer arrays are not printed in JavaScript programs, but read from an exported file. */
const MAX_LITERAL_ELEMENTS = 8192;

/** Formats a matrix with one line per row. Returns undefined if there is no matrix or if it is too long. */
export function formatRows(x: Tensor | undefined): string | undefined {
  if (!x || x.data.length > MAX_LITERAL_ELEMENTS) return undefined;
  const [rows = 0, columns = 0] = x.shape;
  const formatRow = (index: number): string =>
    `  [${Array.from(x.data.subarray(index * columns, (index + 1) * columns), shortestDecimal).join(', ')}],`;
  return `[\n${Array.from({ length: rows }, (_, index) => formatRow(index)).join('\n')}\n]`;
}

/** A layer with an optional scale and sink. `scale` replaces the encoding's factor on q k^T. `sink` is the sink logit in every head. */
export type ScaledLayer = LayerSpec & { readonly scale?: number; readonly sink?: number | undefined };

/**
 * Returns parts of a Python and a JavaScript program. Python: `values`, and the expression `call`, whose result has scores, weights and
 * output. JavaScript: `phasor`, which defines `embeddings`, and `request`, which contains the arguments of `selfAttention` or
 * `permutationTest` except x, such as "encoding: 'rope', heads: 4".
 */
export function generateLayerCode(
  spec: ScaledLayer,
  encodings: readonly EncodingInfo[],
  wordCount: number,
  x: Tensor | undefined,
  variable = 'encoding',
) {
  const { encoding, mask, heads, projections, seed, positionOffset, dim, scale, sink } = spec;
  const hasRandomProjections = projections !== 'identity';
  const pythonOptions = [
    `heads=${heads}`,
    ...(positionOffset === 0 ? [] : [`positions=np.arange(${positionOffset}, ${positionOffset + wordCount})`]),
    ...(hasRandomProjections ? ['projections=projections'] : []),
    ...(mask === 'none' ? [] : [`mask='${mask}'`]),
    ...(scale ? [`scale=${scale}`] : []),
    ...(sink === undefined ? [] : [`sinks=${heads} * [${sink}]`]),
  ].join(', ');
  const requestFields = [
    `encoding: ${formatJsEncoding(encoding)}`,
    `heads: ${heads}`,
    ...(mask === 'none' ? [] : [`mask: '${mask}'`]),
    ...(hasRandomProjections ? [`projections: '${projections}'`, `seed: ${seed}`] : []),
    ...(positionOffset === 0 ? [] : [`positionOffset: ${positionOffset}`]),
    ...(scale ? [`scale: ${scale}`] : []),
    ...(sink === undefined ? [] : [`sinks: Array(${heads}).fill(${sink})`]),
  ];
  const embeddingRows = formatRows(x);
  const embeddingsExpression = `new Float32Array(Uint8Array.from((await readFile('embeddings.npy')).subarray(-4 * ${wordCount} * ${dim})).buffer)`;
  return {
    imports: ['from attention import self_attention'],
    values: {
      [variable]: createEncodingCall(
        encoding,
        encodings,
        { heads, headDim: dim / heads },
        variable === 'encoding' ? undefined : `${variable}_`,
      ),
      embeddings: pythonArray('embeddings', x),
      ...(hasRandomProjections ? { projections: pythonArray('projections', orthogonalProjections(seed, dim)) } : {}),
    },
    call: (embeddings: string): string => `self_attention(${embeddings}, ${variable}, ${pythonOptions})`,
    phasor: `${embeddingRows === undefined ? "import { readFile } from 'node:fs/promises';\n" : ''}import { createPhasor } from 'phasor';

const phasor = await createPhasor();
const embeddings = { shape: [${wordCount}, ${dim}], data: ${embeddingRows === undefined ? embeddingsExpression : `Float32Array.from(${embeddingRows}.flat())`} };
`,
    request: requestFields.join(', '),
  };
}
