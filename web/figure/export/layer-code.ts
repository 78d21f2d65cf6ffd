// A sentence going through one attention layer, as a program: embeddings in, scores, weights and outputs out.
import type { EncodingInfo, Injection, Tensor } from '../../engine/index.ts';
import type { LayerSpec } from '../compute/sentence-fields.ts';
import type { SourceCode } from '../contract/kind.ts';
import { paramOf } from '../contract/parameters.ts';
import { shortest } from './csv.ts';
import { encodingCode } from './encoding-code.ts';
import { GAUSSIAN } from './gaussian-code.ts';

/** Embeddings with more numbers than this are read from the file that the figure offers. */
const MOST_LITERALS = 8192;

/** A matrix in the brackets of Python and JavaScript alike, one line per row. */
function rowsOf({ shape: [rows = 0, columns = 0], data }: Tensor): string {
  const row = (index: number): string => `  [${Array.from(data.subarray(index * columns, (index + 1) * columns), shortest).join(', ')}],`;
  return `[\n${Array.from({ length: rows }, (_, index) => row(index)).join('\n')}\n]`;
}

interface Dialect {
  readonly name: 'numpy' | 'pytorch';
  readonly float32: (rows: string) => string;
  readonly load: string;
  readonly positions: (from: number, to: number) => string;
  readonly transpose: (x: string, axes: string) => string;
  readonly swap: (x: string) => string;
  readonly hide: string;
  readonly hideOwn: string;
  readonly softmax: readonly string[];
  /** The same where each row has one more entry, the sink. */
  readonly sunk: (logit: number) => readonly string[];
  readonly joined: string;
}

const NUMPY: Dialect = {
  name: 'numpy',
  float32: (rows) => `np.array(${rows}, dtype=np.float32)`,
  load: "np.load('embeddings.npy')",
  positions: (from, to) => `np.arange(${from}, ${to}, dtype=np.float64)`,
  transpose: (x, axes) => `${x}.transpose(${axes})`,
  swap: (x) => `${x}.transpose(0, 2, 1)`,
  hide: 'np.where(positions[None, :] <= positions[:, None], scores, -np.inf)',
  hideOwn: 'scores = np.where(hidden(positions, positions), -np.inf, scores)',
  softmax: ['weights = np.exp(scores - scores.max(axis=-1, keepdims=True))', 'weights = weights / weights.sum(axis=-1, keepdims=True)'],
  sunk: (logit) => [
    `sinks = np.full((heads, 1, 1), ${logit}, dtype=scores.dtype)`,
    'largest = np.maximum(scores.max(axis=-1, keepdims=True), sinks)',
    'weights, sink_weights = np.exp(scores - largest), np.exp(sinks - largest)',
    'total = weights.sum(axis=-1, keepdims=True) + sink_weights',
    'weights, sink_weights = weights / total, (sink_weights / total)[..., 0]',
  ],
  joined: 'output.transpose(1, 0, 2).reshape(len(x), -1)',
};

const PYTORCH: Dialect = {
  name: 'pytorch',
  float32: (rows) => `torch.tensor(${rows}, dtype=torch.float32)`,
  load: "torch.from_numpy(np.load('embeddings.npy'))",
  positions: (from, to) => `torch.arange(${from}, ${to}, dtype=torch.float64)`,
  transpose: (x, axes) => `${x}.permute(${axes})`,
  swap: (x) => `${x}.transpose(1, 2)`,
  hide: "torch.where(positions[None, :] <= positions[:, None], scores, torch.tensor(float('-inf')))",
  hideOwn: "scores = torch.where(hidden(positions, positions), torch.tensor(float('-inf')), scores)",
  softmax: ['weights = torch.softmax(scores, dim=-1).to(v.dtype)'],
  sunk: (logit) => [
    `sinks = torch.full((heads, len(x), 1), ${Number.isInteger(logit) ? `${logit}.0` : logit}, dtype=scores.dtype)`,
    'weights = torch.softmax(torch.cat([sinks, scores], dim=-1), dim=-1).to(v.dtype)',
    'sink_weights, weights = weights[..., 0], weights[..., 1:]',
  ],
  joined: 'output.permute(1, 0, 2).reshape(len(x), -1)',
};

/** The random orthogonal matrices of the core: rows of normal numbers made orthonormal. */
const PROJECTION = `${GAUSSIAN}def orthogonal(seed, width):
    """The rows of a Gaussian matrix, made orthonormal one after the other."""
    q, r = np.linalg.qr(gaussian(seed % 2**32, width, width).T)
    return (q * np.sign(np.diag(r))).T.astype(np.float32)


`;

function projected({ projections, seed }: LayerSpec, { name, transpose }: Dialect): string[] {
  const split = transpose('.reshape(len(x), heads, -1)', '1, 0, 2');
  if (projections === 'identity') return [`q = k = v = x${split}`];
  const made = `orthogonal(3 * ${seed} + which, x.shape[1])`;
  const matrix = name === 'numpy' ? made : `torch.from_numpy(${made})`;
  return [`projections = [${matrix} for which in range(3)]`, `q, k, v = ((x @ projection)${split} for projection in projections)`];
}

/** A layer; `scale` is that of q k^T where it is not the encoding's own, `sink` the logit of one, which its program returns the weights of. */
export type ScaledLayer = LayerSpec & { readonly scale?: number; readonly sink?: number | undefined };

/** What q k^T is multiplied by, as the core does with this encoding. */
function scaleOf(spec: ScaledLayer, info: EncodingInfo | undefined): string {
  if (spec.scale) return String(spec.scale);
  if (info?.id === 't5') return '1.0';
  const value = info && paramOf(spec.encoding, info);
  // Content to content is one more.
  const terms = info?.id === 'deberta' && value ? String(value('terms')).split('_').length : 0;
  return terms > 0 ? `(${1 + terms} * q.shape[-1]) ** -0.5` : 'q.shape[-1] ** -0.5';
}

const SCORES: { readonly [injection in Injection]?: string } = {
  score: ' + bias(heads, positions, positions)',
  score_content: ' + content_bias(q, k, positions, positions, scale)',
  key_value: ' + content_bias(q, k, positions, positions, scale)',
};

/** The embeddings as they are written into a program: undefined where they are read from a file. */
const literalOf = (x: Tensor | undefined): string | undefined => (x && x.data.length <= MOST_LITERALS ? rowsOf(x) : undefined);

interface Task {
  readonly spec: ScaledLayer;
  readonly info: EncodingInfo | undefined;
  readonly words: number;
  readonly rows: string | undefined;
  /** Of the encoding. */
  readonly own: readonly string[];
}

const indented = (lines: readonly string[]): string => lines.map((line) => `    ${line}\n`).join('');

/** The scores of a layer before its mask, by the functions of the encoding. */
function scoresOf(injection: Injection, own: readonly string[], dialect: Dialect): string {
  const among = own.includes('made') ? '*made(x, heads)' : 'positions, positions';
  const product = own.includes('products') ? `products(q, k, ${among})` : `q @ ${dialect.swap('k')}`;
  const gates = own.includes('gates') ? ' + decay(gates(x, heads), positions, positions)' : undefined;
  const added = own.includes('made') ? '' : SCORES[injection];
  return `scores = scale * ${product}${gates ?? added ?? ''}`;
}

/** The function of the layer, after the functions that it calls. */
function layerFunction({ spec, info, own }: Task, dialect: Dialect): string {
  const injection = info?.injection ?? 'none';
  const rotates = own.includes('rotate') && !own.includes('products');
  const copy = dialect.name === 'numpy' ? 'x = x.copy()' : 'x = x.clone()';
  const sunk = spec.sink === undefined ? '' : ', weights of the sinks [heads, words]';
  return `def layer(x):
    """Embeddings x [words, width] -> scores and weights [heads, words, words], outputs [words, width]${sunk}."""
${indented([
  ...(injection === 'input' ? ['table = encode(positions, x.shape[1])', copy, 'x[:, : table.shape[1]] += table'] : []),
  ...projected(spec, dialect),
  `scale = ${scaleOf(spec, info)}`,
  ...(rotates && own.includes('made') ? ['turns = made(x, heads)', 'q, k = rotate(q, *turns), rotate(k, *turns)'] : []),
  ...(rotates && !own.includes('made') ? ["q, k = rotate(q, positions, 'query'), rotate(k, positions, 'key')"] : []),
  scoresOf(injection, own, dialect),
  ...(own.includes('hidden') ? [dialect.hideOwn] : []),
  ...(spec.mask === 'causal' ? [`scores = ${dialect.hide}`] : []),
  ...(spec.sink === undefined ? dialect.softmax : dialect.sunk(spec.sink)),
  `output = weights @ v${injection === 'key_value' ? ' + values(weights, positions, positions, v.shape[-1])' : ''}`,
  `return scores, weights, ${dialect.joined}${spec.sink === undefined ? '' : ', sink_weights'}`,
])}`;
}

/** All functions, and what they read. */
function functionsOf(task: Task, own: string, dialect: Dialect): string {
  const { spec, words, rows } = task;
  const { heads, offset, projections } = spec;
  const torch = dialect.name === 'pytorch';
  const numpy = torch && (rows === undefined || projections === 'orthogonal') ? 'import numpy as np\n' : '';
  return `${numpy}${own.trimEnd()}


heads = ${heads}
positions = ${dialect.positions(offset, offset + words)}


${projections === 'orthogonal' ? PROJECTION : ''}${layerFunction(task, dialect)}

`;
}

const embeddingsOf = ({ rows }: Task, { load, float32 }: Dialect): string =>
  `# The embeddings of the words, one row per word${rows === undefined ? ': a file that this figure offers' : ''}.
embeddings = ${rows === undefined ? load : float32(rows)}
`;

export interface LayerCode extends SourceCode {
  /** What a phasor program hands to `layer` or `reorder` beside x: "encoding: 'rope', heads: 4". */
  readonly request: string;
  /** The functions alone, for a second encoding in the same program. */
  readonly functions: SourceCode;
}

/**
 * Programs that end with the function `layer` and the `embeddings` it is called with; the one for phasor has such a method already.
 */
export function layerCode(spec: ScaledLayer, encodings: readonly EncodingInfo[], words: number, x: Tensor | undefined): LayerCode {
  const { encoding, mask, heads, projections, seed, offset, width } = spec;
  const info = encodings.find(({ id }) => id === encoding.id);
  const own =
    !info || info.injection === 'none'
      ? { numpy: 'import numpy as np\n', pytorch: 'import torch\n', choice: `'${encoding.id}'`, functions: [] }
      : encodingCode(encoding, encodings);
  const parts = [
    `encoding: ${own.choice}`,
    `heads: ${heads}`,
    ...(mask === 'none' ? [] : [`mask: '${mask}'`]),
    ...(projections === 'identity' ? [] : [`projections: '${projections}'`, `seed: ${seed}`]),
    ...(offset === 0 ? [] : [`offset: ${offset}`]),
    ...(spec.scale ? [`scale: ${spec.scale}`] : []),
    ...(spec.sink === undefined ? [] : [`sinks: Array(${heads}).fill(${spec.sink})`]),
  ];
  const rows = literalOf(x);
  const task = { spec, info, words, rows, own: own.functions };
  const functions = { numpy: functionsOf(task, own.numpy, NUMPY), pytorch: functionsOf(task, own.pytorch, PYTORCH), phasor: '' };
  const read = `new Float32Array(Uint8Array.from((await readFile('embeddings.npy')).subarray(-4 * ${words} * ${width})).buffer)`;
  return {
    numpy: functions.numpy + embeddingsOf(task, NUMPY),
    pytorch: functions.pytorch + embeddingsOf(task, PYTORCH),
    phasor: `${rows === undefined ? "import { readFile } from 'node:fs/promises';\n" : ''}import { createPhasor } from 'phasor';

const phasor = await createPhasor();
const embeddings = { shape: [${words}, ${width}], data: ${rows === undefined ? read : `Float32Array.from(${rows}.flat())`} };
`,
    request: parts.join(', '),
    functions,
  };
}
