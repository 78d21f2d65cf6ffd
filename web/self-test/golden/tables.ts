// Tables added to embeddings (the golden families simple, sinusoidal and fourier, and the tables in pos2d).

import type { Params, Positions } from '../../engine/types/api.ts';
import type { AnyEncoding } from '../any-phasor.ts';
import { type Case, consecutiveIntegers, type Methods, type Runner, TABLE_TOLERANCE } from './case.ts';

const tableRunner =
  (encoding: (c: Case) => AnyEncoding, width: number | ((c: Case) => number), positions: (c: Case) => Positions, output = 'pe'): Runner =>
  async (c, phasor) => {
    const columns = typeof width === 'number' ? width : width(c);
    c.expect(output, await phasor.positionTable({ encoding: encoding(c), dim: columns, positions: positions(c) }), TABLE_TOLERANCE);
  };

const readPositions = (c: Case) => consecutiveIntegers(c.integer('n'));
const startTableRunner = (id: string, width: number | ((c: Case) => number)) =>
  tableRunner((c) => ({ id, start: c.number('start') }), width, readPositions);
const readDim = (c: Case) => c.integer('d');

const binaryTable = tableRunner(
  (c) => {
    const [order = ''] = c.text('order').split(/(?<=first)/);
    if (order !== 'most significant bit first' && order !== 'least significant bit first')
      c.fail(`param order: "${order}" is not supported`);
    return { id: 'binary', order: order.startsWith('most') ? 'msb_first' : 'lsb_first' };
  },
  (c) => c.integer('bits'),
  readPositions,
);

const combine: Runner = async (c, phasor) => {
  const [x, pe] = [c.tensor('x'), c.tensor('pe')];
  if (c.hasOutput('add')) c.expect('add', await phasor.combine({ x, table: pe }), TABLE_TOLERANCE);
  if (c.hasOutput('concat')) c.expect('concat', await phasor.combine({ x, table: pe, mode: 'concatenate' }), TABLE_TOLERANCE);
};

/** Each row of the batch is a separate request, with a mask that is 0 at padding tokens. */
const paddingAware: Runner = async (c, phasor) => {
  const { shape, data } = c.input('input_ids');
  const [paddingIdx, pastLength] = [c.integer('padding_idx'), c.integer('past')];
  const [rows = 0, tokens = 0] = shape;
  const positionIds: number[] = [];
  for (let row = 0; row < rows; row += 1) {
    const attentionMask = data.slice(row * tokens, (row + 1) * tokens).map((id) => (id === paddingIdx ? 0 : 1));
    positionIds.push(...(await phasor.positionIds({ attentionMask, mode: 'fairseq', paddingIdx, pastLength })).data);
  }
  c.expect('position_ids', { shape, data: positionIds }, TABLE_TOLERANCE);
};

const oddWidthRules = {
  'frequency exponent uses d rounded up to even, last cos dropped': 'rounded_up',
  'frequency exponent uses d, last cos dropped': 'formula',
};

const sinusoidalRunner = (layout: string): Runner => {
  const sequencePositions = (c: Case) => {
    if (!c.has('positions')) return consecutiveIntegers(c.integer('n'), c.numberOr('offset', 0));
    const positions = c.numbers('positions');
    c.expectParam('n', positions.length);
    return positions;
  };
  return async (c, phasor) => {
    const params: Record<string, string | number> = { layout };
    if (c.has('base')) params.base = c.number('base');
    if (c.has('odd')) params.odd_width = c.choice('odd', oddWidthRules);
    const rows = await phasor.positionTable({
      encoding: { id: 'sinusoidal', ...params },
      dim: readDim(c),
      positions: sequencePositions(c),
    });
    if (!c.has('sampled') || !c.boolean('sampled')) return c.expect('pe', rows, TABLE_TOLERANCE);
    // The whole table is too large for a file, so the case contains (row, column) pairs and the values at them.
    const index = c.input('index');
    const data = consecutiveIntegers(index.shape[0] ?? 0).map(
      (i) => rows.data[(index.data[2 * i] ?? 0) * (rows.shape[1] ?? 0) + (index.data[2 * i + 1] ?? 0)],
    );
    c.expect('pe_at_index', { shape: [data.length], data: data as number[] }, TABLE_TOLERANCE);
  };
};

const concatenatedEncoding = (frequencies: string) => ({ id: 'sinusoidal', layout: 'concatenated', frequencies });
/** Returns the integers first, first - 1, ..., last. */
const descendingIntegers = (first: number, last: number) => consecutiveIntegers(first - last + 1, last).reverse();

const tensor2tensor = tableRunner(
  (c) => ({ ...concatenatedEncoding('tensor2tensor'), min_timescale: c.number('min_timescale'), max_timescale: c.number('max_timescale') }),
  readDim,
  (c) => consecutiveIntegers(c.integer('n'), c.integer('start_index')),
);

const fairseq = tableRunner(
  (c) => ({ ...concatenatedEncoding('fairseq'), ...(c.param('padding_idx') === null ? {} : { padding_idx: c.number('padding_idx') }) }),
  readDim,
  readPositions,
);

const scaledSinusoids = tableRunner(
  (c) => {
    c.expectParam('scale', 'd^-0.5 (initial value of a learned scalar)');
    return { ...concatenatedEncoding('paper'), scaled: true };
  },
  readDim,
  (c) => consecutiveIntegers(c.integer('n'), c.numberOr('offset', 0)),
);

const transformerXl = tableRunner(
  (c) => {
    c.expectParam('positions', 'klen-1 .. 0');
    return concatenatedEncoding('paper');
  },
  readDim,
  (c) => descendingIntegers(c.integer('klen') - 1, 0),
  'r',
);

const conformer = tableRunner(
  (c) => {
    c.expectParam('rows', 'distance n-1 .. -(n-1); positive = key to the left (i>j)');
    return 'sinusoidal';
  },
  readDim,
  (c) => descendingIntegers(c.integer('n') - 1, 1 - c.integer('n')),
);

/** Distances are clamped before the sine is computed. clamp_len <= 0 disables clamping. */
const xlnet = tableRunner(
  () => concatenatedEncoding('paper'),
  readDim,
  (c) => {
    const [lastDistance, clamp] = [c.choice('attn_type', { bi: 1 - c.integer('qlen'), uni: 0 }), c.integer('clamp_len')];
    const distances = descendingIntegers(c.integer('klen'), lastDistance);
    return clamp > 0 ? distances.map((distance) => Math.max(-clamp, Math.min(clamp, distance))) : distances;
  },
  'r',
);

// The coordinates in golden files are not scaled, so encodings have an extent of 1.

const toPositions = ({ shape, data }: { shape: readonly number[]; data: readonly number[] }) => ({ shape, data });

const gaussian = tableRunner(
  (c) => {
    const encoding: { id: string; two_pi?: boolean } & Params = {
      id: 'fourier',
      extent: 1,
      order: c.choice('order', { 'sin|cos': 'sin_cos', 'cos|sin': 'cos_sin' }),
    };
    if (c.has('two_pi')) encoding.two_pi = c.boolean('two_pi');
    if (c.has('note')) c.text('note');
    if (c.has('sigma')) {
      c.expectParam('rule', 'B = sigma * B_unit');
      if (c.hasInput('B')) c.fail('B and B_unit are both present');
      return { ...encoding, sigma: c.number('sigma'), frequency_matrix: c.tensor('B_unit') };
    }
    const projectionMatrix = c.tensor('B');
    if (!c.has('B')) return { ...encoding, frequency_matrix: projectionMatrix };
    // The case contains both the name and the values of the matrix, which must be the identity.
    c.expectParam('B', 'identity');
    if (projectionMatrix.data.some((x, i) => x !== (i % ((projectionMatrix.shape[1] ?? 0) + 1) === 0 ? 1 : 0)))
      c.fail('input B is not the identity');
    return { ...encoding, matrix: 'identity' };
  },
  2,
  (c) => toPositions(c.input('v')),
  'gamma',
);

const nerfRunner = (isLogarithmic: boolean) =>
  tableRunner(
    (c) => {
      c.expectParam('log_sampling', isLogarithmic);
      return {
        id: 'nerf',
        extent: 1,
        levels: c.number('L'),
        include_input: c.boolean('include_input'),
        factor_pi: c.boolean('factor_pi'),
        sampling: isLogarithmic ? 'log' : 'linear',
      };
    },
    1,
    (c) => toPositions(c.input('x')),
    'gamma',
  );

/** Returns all positions of a grid, in row-major order. */
export function createGridPositions(extents: readonly number[]): { shape: number[]; data: number[] } {
  const data = extents.reduce<number[][]>(
    (positions, extent) => positions.flatMap((position) => consecutiveIntegers(extent).map((i) => [...position, i])),
    [[]],
  );
  return { shape: [data.length, extents.length], data: data.flat() };
}

const computeGridTable = async (c: Case, phasor: Parameters<Runner>[1], convention: string, extents: number[]) =>
  phasor.positionTable({
    encoding: { id: 'sinusoidal_grid', convention, ...(c.has('base') ? { base: c.number('base') } : {}) },
    dim: readDim(c),
    positions: createGridPositions(extents),
  });

/** Compares a table. If the model has a class token, the first row of the table is zero, because the class token has no position. */
const mae: Runner = async (c, phasor) => {
  const extents = c.has('grid') ? [c.integer('grid'), c.integer('grid')] : [c.integer('h'), c.integer('w')];
  const { shape, data } = await computeGridTable(c, phasor, 'mae', extents);
  const [rows = 0, width = 0] = shape;
  const classTokens = c.has('cls_token') && c.boolean('cls_token') ? 1 : 0;
  c.expect('pe', { shape: [rows + classTokens, width], data: [...new Float32Array(classTokens * width), ...data] }, TABLE_TOLERANCE);
};

/** Creates a method that compares a table of shape [...extents, channels]. */
const interleavedRunner =
  (...axes: string[]): Runner =>
  async (c, phasor) => {
    const extents = axes.map((axis) => c.integer(axis));
    const { shape, data } = await computeGridTable(c, phasor, 'interleaved', extents);
    c.expect('pe', { shape: [...extents, shape[1] ?? 0], data }, TABLE_TOLERANCE);
  };

export const tables: Methods = {
  index_raw: startTableRunner('index', 1),
  index_normalised: tableRunner(
    (c) => ({
      id: 'normalised_index',
      convention: c.choice('convention', { '(i+1)/n': 'over_n_from_one', 'i/n': 'over_n', 'i/(n-1)': 'linspace' }),
    }),
    1,
    readPositions,
  ),
  single_sine: startTableRunner('sine', 1),
  sin_cos_pair: startTableRunner('sin_cos', 2),
  multi_frequency_1_over_k: async (c, phasor) => {
    c.expectParam('layout', 'sin(p/1),cos(p/1),sin(p/2),cos(p/2),...');
    await startTableRunner('multi_frequency', 2 * c.integer('K'))(c, phasor);
  },
  binary: binaryTable,
  learned_absolute: tableRunner(
    (c) => {
      const rows = c.tensor('table', 2);
      c.expectParam('max_len', rows.shape[0]);
      return { id: 'learned', table: rows };
    },
    readDim,
    (c) => c.input('position_ids').data,
  ),
  combine,
  position_ids_padding_aware: paddingAware,
  sinusoidal_interleaved: sinusoidalRunner('interleaved'),
  sinusoidal_concat_paperfreq: sinusoidalRunner('concatenated'),
  sinusoidal_concat_t2t: tensor2tensor,
  sinusoidal_concat_fairseq: fairseq,
  sinusoidal_scaled_concat: scaledSinusoids,
  sinusoidal_relative_txl: transformerXl,
  sinusoidal_relative_interleaved: conformer,
  sinusoidal_relative_xlnet: xlnet,
  fourier_gaussian: gaussian,
  fourier_nerf_loglinear: nerfRunner(true),
  fourier_nerf_linear: nerfRunner(false),
  sincos2d_mae: mae,
  sincos2d_interleaved: interleavedRunner('h', 'w'),
  sincos3d_interleaved: interleavedRunner('x', 'y', 'z'),
};
