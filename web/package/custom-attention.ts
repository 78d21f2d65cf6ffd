// A kind of figure that only phasor-anywidget has: attention of the notebook's own arrays. Picture, zoom and sentences are those of long sequences.
import type { Tensor } from '../engine/index.ts';
import { choice, count, encoding, type Field, FieldError, tensor } from '../figure/contract/fields.ts';
import { defineKind, makeProof } from '../figure/contract/kind.ts';
import { regionOf } from '../figure/kinds/attention-map/compute.ts';
import { kind as long } from '../figure/kinds/attention-map/index.ts';
import { computeCustom } from './custom-compute.ts';
import { strings } from './custom-strings.ts';

/** Rounding: of one computed weight, and of the row sum of a model in float16. */
const TOLERANCE = { computed: 1e-6, given: 5e-3 };

const array = () =>
  tensor(({ shape }: Tensor) => {
    if (shape.length !== 3 || shape.includes(0)) throw new FieldError(strings.rank(shape));
  });

/** One word for each token: a list, or text between spaces. */
const tokens: Field<readonly string[]> = {
  initial: [],
  control: { kind: 'none' },
  read(provided) {
    const list = typeof provided === 'string' ? provided.split(/\s+/).filter(Boolean) : provided;
    if (!Array.isArray(list) || list.some((word) => typeof word !== 'string')) throw new FieldError(strings.list);
    return list as string[];
  },
  print: (list) => (list.some((word) => word === '' || /\s/.test(word)) ? undefined : list.join(' ')),
};

type Numbers = Awaited<ReturnType<typeof computeCustom>>;
/** The pooled weights in the form of the kind for long sequences. */
const shown = (numbers: Numbers): never => numbers as never;

export const kind = defineKind({
  id: 'custom',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  fields: {
    q: array(),
    k: array(),
    weights: array(),
    tokens,
    encoding: encoding('none', { injections: ['none', 'query_key', 'score', 'score_content'] }),
    mask: choice('none', 'causal'),
    window: count(0, 0, 65536),
    head: count(0, 0, 1023),
    span: count(0, 0, 65536),
    query: count(0, 0, 65535),
    key: count(0, 0, 65535),
    size: count(512, 1, 1024),
  },
  aspect: 1,
  compute: computeCustom,
  scene: (numbers, spec, frame) => long.scene(shown(numbers), spec as never, frame),
  actions: (numbers, spec) => long.actions?.(shown(numbers), spec as never) ?? [],
  readout: (numbers, spec, cursor) => long.readout(shown(numbers), spec as never, cursor),
  proof({ residual, isGiven }) {
    return isGiven ? makeProof(strings.given, residual, TOLERANCE.given) : makeProof(strings.computed, residual, TOLERANCE.computed);
  },
  tables({ map, length, words: list }, spec) {
    const { rows, columns, cell, cells } = regionOf(spec, length);
    const names = (first: number) =>
      Array.from({ length: cells }, (_, index) => (cell === 1 && list?.[first + index]) || String(first + index * cell));
    return [
      {
        name: 'weights',
        title: strings.title,
        tensor: map,
        rowTitle: strings.query,
        columnTitle: strings.key,
        rows: names(rows[0]),
        columns: names(columns[0]),
      },
    ];
  },
  code() {
    throw new Error(strings.noCode);
  },
});
