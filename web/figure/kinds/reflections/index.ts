import { entryAt } from '../../../charts/entry-at.ts';
import { formatNumber } from '../../../charts/number.ts';
import { createOrderField, sentenceField, splitSentence } from '../../compute/sentence-fields.ts';
import { count, number, type SpecOf } from '../../contract/fields.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { transformKeyByWords } from './compute.ts';
import { reflectionsScene } from './scene.ts';
import { strings } from './strings.ts';

/** Maximum number of words after the key. Each word has a dial. */
const MAX_WORDS = 23;
/** Tolerance for float32 rounding of keys, whose length is at most 1. */
const TOLERANCE = 1e-5;
/** The key that the words transform. Its length is 1. */
const INITIAL_KEY = [0.6, 0.8];

const fields = {
  text: { ...sentenceField, initial: 'the cat slept . a dog' },
  order: createOrderField(),
  /** Index of the word whose key is transformed. The maximum is 63, because a slider with more values would skip some of them. */
  key: count(1, 0, 63),
  beta: number(2, 0, 2),
  seed: count(1, 0, 2 ** 32 - 1),
};
export type Spec = SpecOf<typeof fields>;

export const kind = defineKind({
  id: 'reflections',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  labels: strings.labels,
  help: strings.help,
  fields,
  // Not shared with linked figures, because in this figure the seed determines only the directions.
  unlinkedFields: ['seed'],
  aspect: 0.5,
  async compute(spec, { engine }) {
    const { words: originalWords, order } = splitSentence(spec.text, spec.order);
    const placedWords = order.map((word) => originalWords[word] as string);
    const keyIndex = Math.min(spec.key, placedWords.length - 1);
    const shownWordCount = Math.min(MAX_WORDS, placedWords.length - 1 - keyIndex);
    // [words, 2]: one direction per word in the original order, so that a word keeps its direction when it is moved.
    const randomVectors = await engine.randomNormal({ seed: spec.seed, shape: [originalWords.length, 2] });
    const directions = Float32Array.from(
      order.slice(keyIndex + 1, keyIndex + 1 + shownWordCount).flatMap((word) => {
        const [x, y] = [entryAt(randomVectors.data, 2 * word), entryAt(randomVectors.data, 2 * word + 1)];
        const length = Math.hypot(x, y);
        return [x / length, y / length];
      }),
    );
    const transformedKey = await transformKeyByWords(INITIAL_KEY, directions, spec.beta, engine);
    return {
      placedWords,
      keyIndex,
      shownWordCount,
      directions: { shape: [shownWordCount, 2], data: directions },
      ...transformedKey,
    };
  },
  scene(results, _, frame) {
    const { placedWords, keyIndex, shownWordCount, keys, directions } = results;
    const keyWord = placedWords[keyIndex] as string;
    const wordCount = placedWords.length - 1 - keyIndex;
    const message =
      shownWordCount === 0
        ? strings.lastWordDescription(keyWord, formatKey(keys.data, 0))
        : strings.description(keyWord, shownWordCount, formatKey(keys.data, 0), formatKey(keys.data, shownWordCount));
    return reflectionsScene({
      ...frame,
      title: strings.question,
      description: shownWordCount < wordCount ? `${message} These are ${strings.shownWordsNote(shownWordCount, wordCount)}.` : message,
      labels: placedWords.slice(keyIndex, keyIndex + 1 + shownWordCount).map((word, dial) => (dial === 0 ? strings.keyLabel(word) : word)),
      values: Array.from({ length: shownWordCount + 1 }, (_, dial) => formatKey(keys.data, dial)),
      keys: keys.data,
      directions: directions.data,
      keyWordIndex: keyIndex,
    });
  },
  playback: { axis: 'query', count: ({ placedWords }) => placedWords.length },
  readout({ placedWords, keyIndex, shownWordCount, keys }, _, { query }) {
    const keyWord = placedWords[keyIndex] as string;
    const dial = query === undefined ? -1 : query - keyIndex;
    if (!Number.isInteger(dial) || dial < 0 || dial > shownWordCount)
      return strings.finalKeyReadout(keyWord, shownWordCount, formatKey(keys.data, shownWordCount));
    if (dial === 0) return strings.initialKeyReadout(keyWord, formatKey(keys.data, 0));
    return strings.wordReadout(keyWord, placedWords[keyIndex + dial] as string, formatKey(keys.data, dial - 1), formatKey(keys.data, dial));
  },
  proof: ({ residual }) => makeProof(strings.proof, residual, TOLERANCE),
  tables({ placedWords, keyIndex, shownWordCount, keys, directions }) {
    const rows = placedWords.slice(keyIndex, keyIndex + 1 + shownWordCount);
    const axes = { rowTitle: strings.wordTitle, columnTitle: strings.channelTitle };
    return [
      { name: 'keys', title: strings.titles.keys, tensor: keys, ...axes, rows },
      { name: 'directions', title: strings.titles.directions, tensor: directions, ...axes, rows: rows.slice(1) },
    ];
  },
  loadPrograms: () => import('./code.ts'),
});

function formatKey(keys: Float32Array, dial: number): string {
  // Two decimals, so that rounding errors are printed as 0.
  const formatCoordinate = (value: number): string => formatNumber(Math.round(100 * value) / 100 + 0, { digits: 2, short: true });
  return strings.formatVector(formatCoordinate(entryAt(keys, 2 * dial)), formatCoordinate(entryAt(keys, 2 * dial + 1)));
}
