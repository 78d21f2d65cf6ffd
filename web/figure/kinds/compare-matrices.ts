// The matrix of one encoding that a comparison shows.
import { PhasorError, type Tensor } from '../../engine/index.ts';
import type { EncodingSpec, SpecOf } from '../fields.ts';
import { choice, count, encoding } from '../fields.ts';
import type { Engine, Means } from '../kind.ts';
import { usedEncoding } from '../parameters.ts';
import { headField, headIndex, layerFields, sentenceOrder, sentenceText } from '../sentence-fields.ts';
import { placedRows, sentenceInput } from '../sentence-input.ts';
import { matrixOf } from '../tensor.ts';

const { encoding: first, ...layer } = layerFields('rope');

export const fields = {
  show: choice('weights', 'table', 'similarity', 'bias'),
  encoding: first,
  other: encoding('alibi'),
  text: sentenceText,
  order: sentenceOrder(),
  ...layer,
  head: headField,
  /** Of tables, similarities and biases; weights are those of the sentence. */
  length: count(32, 1, 512),
};
export type Spec = SpecOf<typeof fields>;
export type Shown = Spec['show'];

export interface Pair {
  readonly a: Tensor;
  readonly b: Tensor;
  /** Names of rows and of columns; undefined for channels. */
  readonly rows: readonly string[];
  readonly columns: readonly string[] | undefined;
  /** [words, width], where a sentence is compared. */
  readonly embeddings: Tensor | undefined;
}

type Matrix = (encoding: EncodingSpec) => Promise<Tensor>;

function tableOf({ length, width, offset }: Spec, engine: Engine): Matrix {
  return (encoding) => engine.table({ encoding: usedEncoding(encoding, engine.encodings), length, width, offset });
}

function matrixFor(spec: Spec, engine: Engine, x: Tensor | undefined): Matrix {
  const { heads, mask, projections, seed, offset, length, width } = spec;
  const head = headIndex(spec);
  const table = tableOf(spec, engine);
  switch (spec.show) {
    case 'table':
      return table;
    case 'similarity':
      return async (encoding) => engine.similarity({ table: await table(encoding) });
    case 'bias':
      return async (encoding) => {
        const choice = usedEncoding(encoding, engine.encodings);
        return matrixOf(await engine.bias({ encoding: choice, heads, width: width / heads, queries: length, keys: length }), head);
      };
    case 'weights':
      return async (encoding) => {
        const choice = usedEncoding(encoding, engine.encodings);
        const request = { x: x as Tensor, heads, mask, projections, seed, offset, head, want: ['weights'] } as const;
        return matrixOf((await engine.layer({ ...request, encoding: choice })).weights, 0);
      };
  }
}

/** The same for the second encoding; what is wrong with it is said of `other`. */
const ofOther =
  (matrix: Matrix): Matrix =>
  async (encoding) => {
    try {
      return await matrix(encoding);
    } catch (thrown) {
      const { code, message } = PhasorError.from(thrown);
      throw new PhasorError(code, message.replace(/^encoding\b/, 'other'));
    }
  };

export async function pairOf(spec: Spec, means: Means): Promise<Pair> {
  const { engine } = means;
  const sentence = spec.show === 'weights' ? await sentenceInput(spec, means) : undefined;
  const embeddings = sentence && placedRows(sentence.x, sentence.order);
  const matrix = matrixFor(spec, engine, embeddings);
  const a = await matrix(spec.encoding);
  const b = await ofOther(matrix)(spec.other);
  const first = spec.show === 'bias' ? 0 : spec.offset;
  const positions = Array.from({ length: spec.length }, (_, index) => String(first + index));
  const rows = sentence?.placed ?? positions;
  return { a, b, rows, columns: spec.show === 'table' ? undefined : rows, embeddings };
}
