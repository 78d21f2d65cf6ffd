// Computes the matrices of the two encodings that are compared.

import { similarity } from '../../../engine/analysis.ts';
import { PhasorError } from '../../../engine/errors.ts';
import type { Tensor } from '../../../engine/index.ts';
import { mapChannels } from '../../compute/channel-order.ts';
import { invertOrder, reorderChannels } from '../../compute/channels.ts';
import { reorderRows } from '../../compute/seeded-order.ts';
import { clampHeadIndex, createLayerFields, createOrderField, headField, sentenceField } from '../../compute/sentence-fields.ts';
import { createSentenceInput } from '../../compute/sentence-input.ts';
import type { EncodingSpec, Field, SpecOf } from '../../contract/fields.ts';
import { boolean, choice, count, encoding, number, text } from '../../contract/fields.ts';
import type { Engine, KindContext } from '../../contract/kind.ts';
import { withUsedParams } from '../../contract/parameters.ts';
import { SpecError } from '../../contract/spec.ts';
import { selectMatrix } from '../../contract/tensor.ts';
import { strings } from './strings.ts';

const { encoding: encodingField, ...layerFields } = createLayerFields('rope');

/**
 * A panel heading that replaces the encoding's id and parameters. Only links and attributes can set it; the page has no
 * control for it.
 */
const panelNameField: Field<string> = { ...text(''), control: { kind: 'none' } };

export const fields = {
  show: choice('weights', 'table', 'similarity', 'bias', 'scores'),
  encoding: encodingField,
  other: encoding('alibi'),
  text: sentenceField,
  order: createOrderField(),
  ...layerFields,
  head: headField,
  /** Number of positions; for weights and scores, number of words. */
  length: count(32, 1, 512),
  /** Scale of q·k in B. 0 selects the encoding's default. */
  scale: number(0, 0, 1e6),
  /** Whether channels are permuted so that the channel pairs of B match those of A. */
  reordered: boolean(false),
  nameA: panelNameField,
  nameB: panelNameField,
};
export type Spec = SpecOf<typeof fields>;
export type Quantity = Spec['show'];

export interface MatrixPair {
  readonly a: Tensor;
  readonly b: Tensor;
  /** Labels of the rows and columns. Columns that are channels have no labels. */
  readonly rows: readonly string[];
  readonly columns: readonly string[] | undefined;
  /** The embeddings [words, dim] of the sentence, if the compared quantity depends on one. */
  readonly embeddings: Tensor | undefined;
  /**
   * For each channel of B, the index of the corresponding channel of A, within one head or the table. Undefined if
   * `reordered` is false.
   */
  readonly channels: readonly number[] | undefined;
}

type MatrixFunction = (encoding: EncodingSpec) => Promise<Tensor>;

function createTableFunction({ length, dim, positionOffset }: Spec, engine: Engine): MatrixFunction {
  return (encoding) => engine.positionTable({ encoding: withUsedParams(encoding, engine.encodings), length, dim, positionOffset });
}

function createMatrixFunction(spec: Spec, engine: Engine, x: Tensor | undefined): MatrixFunction {
  const { heads, mask, projections, seed, positionOffset, length, dim } = spec;
  const head = clampHeadIndex(spec);
  const computeTable = createTableFunction(spec, engine);
  switch (spec.show) {
    case 'table':
      return computeTable;
    case 'similarity':
      return async (encoding) => similarity(engine, { table: await computeTable(encoding) });
    case 'bias':
      return async (encoding) => {
        const usedEncoding = withUsedParams(encoding, engine.encodings);
        return selectMatrix(
          await engine.attentionBias({ encoding: usedEncoding, heads, headDim: dim / heads, queries: length, keys: length }),
          head,
        );
      };
    case 'weights':
    case 'scores':
      return async (encoding) => {
        const usedEncoding = withUsedParams(encoding, engine.encodings);
        // Scores are compared without a mask, because masked scores are -Infinity and their difference is NaN.
        const usedMask = spec.show === 'scores' ? 'none' : mask;
        const request = {
          x: x as Tensor,
          heads,
          mask: usedMask,
          projections,
          seed,
          positionOffset,
          head,
          scale: spec.scale || undefined,
        } as const;
        const { weights, scores } = await engine.selfAttention({
          ...request,
          encoding: usedEncoding,
          outputs: [spec.show as 'weights' | 'scores'],
          computeOutput: false,
        });
        return selectMatrix((weights ?? scores) as Tensor, 0);
      };
  }
}

/** Renames the argument `encoding` to `other` in errors about the second encoding. */
const withErrorsForOther =
  (computeMatrix: MatrixFunction): MatrixFunction =>
  async (encoding) => {
    try {
      return await computeMatrix(encoding);
    } catch (thrown) {
      const error = PhasorError.from(thrown);
      const { code, message, argument = '' } = error;
      if (argument !== 'encoding' && !argument.startsWith('encoding.')) throw error;
      const prefixLength = 'encoding'.length;
      throw new PhasorError(code, `other${message.slice(prefixLength)}`, { ...error, argument: `other${argument.slice(prefixLength)}` });
    }
  };

async function matchChannels(spec: Spec, engine: Engine): Promise<readonly number[] | undefined> {
  const { reordered, show, projections, dim, heads } = spec;
  if (!reordered) return undefined;
  const createReorderError = (reason: string): SpecError => new SpecError('reordered', `reordered: ${reason}`);
  if (show === 'bias') throw createReorderError(strings.biasHasNoChannels);
  const isTable = show === 'table' || show === 'similarity';
  if (!isTable && projections !== 'identity') throw createReorderError(strings.needsIdentityProjections);
  const [a, b] = [spec.encoding, spec.other].map((encoding) => withUsedParams(encoding, engine.encodings)) as [EncodingSpec, EncodingSpec];
  const isRotary = engine.encodings.some(({ id, injection }) => id === a.id && injection === 'query_key');
  const order = await mapChannels(a, b, !isTable && isRotary ? dim / heads : dim, engine);
  if (!order) throw createReorderError(strings.differentPairs(a.id, b.id));
  return order;
}

export async function computeMatrixPair(spec: Spec, context: KindContext): Promise<MatrixPair> {
  const { engine } = context;
  const isAttention = spec.show === 'weights' || spec.show === 'scores';
  const sentence = isAttention ? await createSentenceInput(spec, context) : undefined;
  const embeddings = sentence && reorderRows(sentence.x, sentence.order);
  const a = await createMatrixFunction({ ...spec, scale: 0 }, engine, embeddings)(spec.encoding);
  const channels = await matchChannels(spec, engine);
  const reorderedEmbeddings = embeddings && channels ? reorderChannels(embeddings, channels) : embeddings;
  const b = await withErrorsForOther(createMatrixFunction(spec, engine, reorderedEmbeddings))(spec.other);
  const firstPosition = spec.show === 'bias' ? 0 : spec.positionOffset;
  const positions = Array.from({ length: spec.length }, (_, index) => String(firstPosition + index));
  const rows = sentence?.placedWords ?? positions;
  return {
    a,
    b: channels && spec.show === 'table' ? reorderChannels(b, invertOrder(channels)) : b,
    rows,
    columns: spec.show === 'table' ? undefined : rows,
    embeddings,
    channels,
  };
}
