import { entryAt } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { formatExact, formatNumber, formatRange } from '../../../charts/number.ts';
import { permutationTest } from '../../../engine/analysis.ts';
import { createIdentityOrder, isIdentity } from '../../../sentence/order.ts';
import { compareOrders, createOrderProof } from '../../compute/output-proof.ts';
import { createOrderField, createWordLayerFields, sentenceField, withoutTrainedProjections } from '../../compute/sentence-fields.ts';
import { createSentenceInput } from '../../compute/sentence-input.ts';
import { createTrainedLayer } from '../../compute/trained-layer.ts';
import type { SpecOf } from '../../contract/fields.ts';
import { defineKind } from '../../contract/kind.ts';
import { withUsedParams } from '../../contract/parameters.ts';
import { changeScene } from './change-scene.ts';
import { strings } from './strings.ts';

/** Maximum number of words with full-height rows. The rows of longer texts are scaled to fit. */
const MAX_LABELLED_WORDS = 36;

const fields = {
  text: sentenceField,
  // The initial order is “lion killed the Rohan”, which has a visible effect.
  order: createOrderField([3, 1, 2, 0]),
  ...createWordLayerFields('none'),
};
export type Spec = SpecOf<typeof fields>;

export const kind = defineKind({
  id: 'change',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  fields,
  aspect: 0.3,
  async compute(spec, context) {
    const { engine } = context;
    const { heads, mask, projections, seed, positionOffset } = withoutTrainedProjections(spec);
    const input = await createSentenceInput(spec, context);
    const { x, order, words: originalWords, placedWords } = input;
    if (spec.projections === 'trained') {
      const layer = await createTrainedLayer(spec, input, context);
      const [before, after, comparison] = await Promise.all([
        layer.computeAttention(createIdentityOrder(order.length)),
        layer.computeAttention(order),
        layer.compareWithOriginal(order),
      ]);
      const differences = comparison.isOriginalOrder
        ? { shape: [order.length], data: new Float32Array(order.length) }
        : comparison.maxDifferences;
      return {
        originalWords,
        order,
        words: placedWords,
        embeddings: x,
        before: before.output,
        after: after.output,
        differences,
        comparison,
        trained: [before, after] as const,
      };
    }
    const encoding = withUsedParams(spec.encoding, engine.encodings);
    const request = { x, heads, mask, projections, seed, positionOffset, encoding };
    const permutationResult = permutationTest(engine, { ...request, order });
    const [{ before, output, perToken }, comparison] = await Promise.all([
      permutationResult,
      compareOrders(engine, request, order, permutationResult),
    ]);
    return {
      originalWords,
      order,
      words: placedWords,
      embeddings: x,
      before,
      after: output,
      differences: perToken,
      comparison,
      trained: undefined,
    };
  },
  scene(results, _, { width, maxHeight }) {
    const count = results.words.length;
    const hasMoved = !isIdentity(results.order);
    return changeScene({
      width,
      maxHeight: maxHeight ?? (count <= MAX_LABELLED_WORDS ? 22 * count + 60 : 520),
      words: results.words,
      keys: results.order.map(String),
      differences: results.differences.data,
      title: strings.chartTitle,
      quantity: strings.quantity,
      wordAxis: 'query',
      maxRoundingError: createOrderProof(results.comparison).tolerance,
      // Extends the axis to the largest output, so that rounding errors do not look large.
      ...(hasMoved ? { reference: { value: results.comparison.maxAbsOutput, label: strings.largestOutputLabel } } : {}),
    });
  },
  readout({ words, order, differences: { data }, comparison }, _, { query }) {
    if (isIdentity(order)) return strings.originalOrder;
    if (query === undefined || words[query] === undefined) {
      const { min, max } = extent(data);
      return strings.rangeReadout(words.join(' '), formatRange(min, max));
    }
    const originalPosition = entryAt(order, query) + 1;
    return strings.wordReadout(
      words[query],
      originalPosition,
      query + 1,
      formatExact(entryAt(data, query)),
      formatNumber(comparison.maxAbsOutput),
    );
  },
  proof: ({ comparison }) => createOrderProof(comparison),
  tables({ words, originalWords, differences, before, after, embeddings }) {
    const channelTitles = { rowTitle: strings.word, columnTitle: strings.channel };
    return [
      {
        name: 'differences',
        title: strings.tableTitles.differences,
        tensor: differences,
        rowTitle: strings.word,
        columnTitle: strings.difference,
        rows: words,
      },
      { name: 'before', title: strings.tableTitles.before, tensor: before, rows: originalWords, ...channelTitles },
      { name: 'after', title: strings.tableTitles.after, tensor: after, rows: words, ...channelTitles },
      { name: 'embeddings', title: strings.tableTitles.embeddings, tensor: embeddings, rows: originalWords, ...channelTitles },
    ];
  },
  loadPrograms: () => import('./code.ts'),
});
