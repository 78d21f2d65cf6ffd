// The five requirements as programs.
import { drawingFunctions } from '../../../encodings/code/parts/drawn.ts';
import { pytorchOf } from '../../../encodings/code/parts/program.ts';
import type { EncodingInfo } from '../../../engine/index.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { type EncodingCode, encodingCode } from '../../export/encoding-code.ts';
import { GROWTH, LONGER, type Numbers } from './findings.ts';
import { onALine, type Spec, type Thing, thingOf } from './sources.ts';

/** The functions of an encoding, and `gaussian` where vectors are drawn and it brings none along. */
function start(text: string, language: 'numpy' | 'pytorch', draws: boolean): string {
  if (!draws || text.includes('def gaussian(')) return text;
  const functions = drawingFunctions('gaussian(', language);
  const own = text.includes('def random(') ? functions.slice(functions.indexOf('def gaussian(')) : functions;
  const imports = [
    language === 'pytorch' && !/^import numpy/m.test(text) ? 'import numpy as np\n' : '',
    /^import math/m.test(text) ? '' : 'import math\n',
  ];
  return `${imports.join('')}${text}\n${own}\n`;
}

/** `vectors(length)`, and what is compared in pairs and in a longer text. */
function pythonSource(thing: Thing, spec: Spec, own: EncodingCode, line: number): string {
  const { width, heads, mask, seed } = spec;
  const next = (seed + 1) % 2 ** 32;
  if (thing === 'vector') {
    return `def vectors(length):
    """What is added at each position."""
    return encode(1.0 * np.arange(length), ${width})


def first(length, shown):
    """What the first positions of a text get."""
    return vectors(length)[:shown]


products = [vectors(length) @ vectors(length).T]
`;
  }
  const drawn = `heads, width = ${heads}, ${width / heads}
q, k = gaussian(${seed}, (heads, 1, width)), gaussian(${next}, (heads, 1, width))
`;
  if (thing === 'key') {
    return `${drawn}

def vectors(length, x=k, role='key'):
    """One vector, rotated to each position, its heads side by side."""
    turned = rotate(np.tile(x, (1, length, 1)), 1.0 * np.arange(length), role)
    return np.concatenate(list(turned), axis=1)


def first(length, shown):
    """What the first positions of a text get."""
    return vectors(length)[:shown]


products = [vectors(${line}, q, 'query') @ vectors(${line}).T]
`;
  }
  const inside = /^def bias\(.*scale=/m.test(own.numpy);
  const content = 'content_bias(np.tile(q, (1, len(queries), 1)), np.tile(k, (1, length, 1)), queries, np.arange(length), scale)';
  const terms = [
    ...(own.functions.includes('content_bias') ? [content] : []),
    ...(own.functions.includes('bias') ? [`bias(heads, queries, np.arange(length)${inside ? ', scale' : ''})`] : []),
  ];
  return `${drawn}scale = ${own.scale}


def biases(queries, length):
    """For the same word at every position: (heads, queries, positions)."""
    return ${terms.join(' + ')}


def vectors(length):
    """The biases of each position, seen from one query: (positions, heads)."""
    query = ${mask === 'causal' ? 'length - 1' : 'length // 2'}
    return biases(np.arange(length)[query : query + 1], length)[:, 0].T


def first(length, shown):
    """All biases among the first positions of a text."""
    places = np.arange(length)
    return ${mask === 'causal' ? 'np.where(places <= places[:, None], biases(places, length), 0.0)' : 'biases(places, length)'}[:, :shown, :shown]


products = first(length, length)
`;
}

/** The five rows. What the core refuses is not computed. */
function pythonChecks(numbers: Numbers | undefined, { length }: Spec, line: number): string {
  // From the end of a row of patches to the next one is no step.
  const steps = line < length ? `table[1:${line}] - table[: ${line - 1}]` : 'table[1:] - table[:-1]';
  const isRefused = (name: 'bounded' | 'length'): boolean => numbers?.findings[name].refused !== undefined;
  return `
def norms(table):
    return (table**2).sum(axis=1) ** 0.5


def spread(matrix):
    """The largest difference of two entries at the same distance."""
    diagonals = [matrix.diagonal(distance) for distance in range(1 - len(matrix), len(matrix))]
    return max(float(one.max() - one.min()) for one in diagonals)


table = vectors(length)
longest = float(norms(table).max())
largest = max(float(abs(matrix).max()) for matrix in products)
closest = min(float(norms(table[at + 1 :] - table[at]).min()) for at in range(length - 1))
step = float(norms(${steps}).max())
difference = max(spread(matrix) for matrix in products)
rounding = 1e-5 * max(1.0, largest)
rows = [[closest, longest / 256, float(closest > 0 and closest >= longest / 256)]]
${
  isRefused('bounded')
    ? 'rows += [[0.0, 0.0, -1.0]]  # there are no further positions'
    : `grown = float(norms(vectors(${LONGER} * length)).max())
rows += [[grown, ${GROWTH} * longest, float(grown <= ${GROWTH} * longest)]]`
}
${
  isRefused('length')
    ? 'rows += [[0.0, 0.0, 0.0]]  # there is no longer text'
    : `changed = float(abs(first(2 * length, length) - first(length, length)).max())
rows += [[changed, 1e-6 * longest, float(changed <= 1e-6 * longest)]]`
}
rows += [[step, longest, float(step < longest)], [difference, rounding, float(difference <= rounding)]]
requirements = np.array(rows)
`;
}

const START = `import { createPhasor } from 'phasor';

const phasor = await createPhasor();
`;

function javascriptSource(thing: Thing, spec: Spec, choice: string, line: number): string {
  const { length, width, heads, mask, seed } = spec;
  const next = (seed + 1) % 2 ** 32;
  const rows = `const first = (length, shown) => {
  const { shape: [, columns], data } = vectors(length);
  return { shape: [shown, columns], data: data.slice(0, shown * columns) };
};
`;
  if (thing === 'vector') {
    return `${START}const length = ${length};
const vectors = (length) => phasor.table({ encoding: ${choice}, length, width: ${width} });
${rows}const products = [phasor.similarity({ table: vectors(length), measure: 'dot' })];
`;
  }
  const drawn = `${START}const [length, heads, width] = [${length}, ${heads}, ${width / heads}];
const encoding = ${choice};
const q = phasor.gaussian({ seed: ${seed}, shape: [heads, width] });
const k = phasor.gaussian({ seed: ${next}, shape: [heads, width] });
// The same at every token.
const tokens = (x, count) => ({ shape: [heads, count, width], data: x.data, strides: [width, 0, 1] });
`;
  if (thing === 'key') {
    return `${drawn}const vectors = (length, x = k, role = 'key') => {
  const { data } = phasor.rotate(tokens(x, length), { encoding, role });
  const rows = Array.from({ length }, (_, token) =>
    Array.from({ length: heads }, (_, head) => [...data.subarray((head * length + token) * width, (head * length + token + 1) * width)]),
  );
  return { shape: [length, heads * width], data: Float32Array.from(rows.flat(2)) };
};
${rows}const both = Float32Array.of(...vectors(${line}, q, 'query').data, ...vectors(${line}).data);
const { data: all } = phasor.similarity({ table: { shape: [${2 * line}, heads * width], data: both }, measure: 'dot' });
const products = [
  {
    shape: [${line}, ${line}],
    data: Float32Array.from({ length: ${line * line} }, (_, at) => all[Math.floor(at / ${line}) * ${2 * line} + ${line} + (at % ${line})]),
  },
];
`;
  }
  const hide = mask === 'causal';
  return `${drawn}const biases = (queries, keys, request) =>
  phasor.attention({ q: tokens(q, queries), k: tokens(k, keys), v: tokens(k, keys), encoding, ...request, want: ['bias'] }).bias.data;
const vectors = (length) => {
  const data = biases(1, length, { offset: ${hide ? 'length - 1' : 'Math.floor(length / 2)'} });
  return { shape: [length, heads], data: Float32Array.from({ length: length * heads }, (_, at) => data[(at % heads) * length + Math.floor(at / heads)]) };
};
const matrices = (length, shown) => {
  const data = biases(length, length);
  return Array.from({ length: heads }, (_, head) => ({
    shape: [shown, shown],
    data: Float32Array.from({ length: shown * shown }, (_, at) => {
      const [query, key] = [Math.floor(at / shown), at % shown];
      return ${hide ? 'key > query ? 0 : ' : ''}data[(head * length + query) * length + key];
    }),
  }));
};
const first = (length, shown) => ({
  shape: [heads * shown, shown],
  data: Float32Array.from(matrices(length, shown).flatMap(({ data }) => [...data])),
});
const products = matrices(length, length);
`;
}

function javascriptChecks(numbers: Numbers | undefined, { length }: Spec, line: number): string {
  const steps = line < length ? line - 1 : 'length - 1';
  const isRefused = (name: 'bounded' | 'length'): boolean => numbers?.findings[name].refused !== undefined;
  return `const table = vectors(length);
const columns = table.shape[1];
const { closestDistance: closest, maxNorm: longest } = phasor.tableStatistics({ table });
const steps = Float32Array.from({ length: (${steps}) * columns }, (_, at) => table.data[at + columns] - table.data[at]);
const { maxNorm: step } = phasor.tableStatistics({ table: { shape: [${steps}, columns], data: steps } });
const spread = Math.max(...products.map((matrix) => phasor.distanceProfile({ matrix }).spread));
const rounding = 1e-5 * Math.max(1, ...products.map((table) => phasor.tableStatistics({ table }).maxAbs));
${
  isRefused('bounded')
    ? 'const bounded = [0, 0, -1]; // there are no further positions'
    : `const { maxNorm: grown } = phasor.tableStatistics({ table: vectors(${LONGER} * length) });
const bounded = [grown, ${GROWTH} * longest, Number(grown <= ${GROWTH} * longest)];`
}
${
  isRefused('length')
    ? 'const same = [0, 0, 0]; // there is no longer text'
    : `const before = first(length, length);
const order = before.data.slice(0, before.shape[0]).map((_, row) => row);
const { maxAbsDiff: changed } = phasor.permutationError({ before, after: first(2 * length, length), order });
const same = [changed, 1e-6 * longest, Number(changed <= 1e-6 * longest)];`
}
const requirements = {
  shape: [5, 3],
  data: Float32Array.of(
    ...[closest, longest / 256, Number(closest > 0 && closest >= longest / 256)],
    ...bounded,
    ...same,
    ...[step, longest, Number(step < longest)],
    ...[spread, rounding, Number(spread <= rounding)],
  ),
};
`;
}

/** Without an encoding there is nothing to measure. */
const NONE = '[[0.0, 0.0, 0.0]] + 4 * [[0.0, 0.0, -1.0]]';

export function code(spec: Spec, encodings: readonly EncodingInfo[], numbers?: Numbers): SourceCode {
  const own = encodingCode(spec.encoding, encodings);
  const injection = encodings.find(({ id }) => id === spec.encoding.id)?.injection ?? 'input';
  if (injection === 'none') {
    const rows = `rows = ${NONE}\nrequirements = np.array(rows)\n`;
    return {
      numpy: `${own.numpy}\n${rows}`,
      pytorch: `${own.pytorch}\n${pytorchOf(rows)}`,
      phasor: 'const requirements = { shape: [5, 3], data: Float32Array.of(0, 0, 0, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1) };\n',
    };
  }
  const thing = thingOf(injection);
  const line = onALine(spec, { encodings });
  const python = `length = ${spec.length}\n${pythonSource(thing, spec, own, line)}\n${pythonChecks(numbers, spec, line)}`;
  const draws = thing !== 'vector';
  return {
    numpy: `${start(own.numpy, 'numpy', draws)}\n${python}`,
    pytorch: `${start(own.pytorch, 'pytorch', draws)}\n${pytorchOf(python)}`,
    phasor: javascriptSource(thing, spec, own.choice, line) + javascriptChecks(numbers, spec, line),
  };
}
