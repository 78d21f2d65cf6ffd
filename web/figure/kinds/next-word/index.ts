import { entryAt } from '../../../charts/entry-at.ts';
import { formatNumber } from '../../../charts/number.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { createWordsStage } from '../../words/stage.ts';
import { computeNextWord, fields, type Results } from './compute.ts';
import { nextWordScene } from './picture.ts';
import { strings } from './strings.ts';

/** Tolerance for float32 rounding in a row of at most 64 weights. */
const TOLERANCE = 1e-5;

export const kind = defineKind({
  id: 'next-word',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  mainFields: [],
  fields,
  aspect: 0.5,
  isTrained: true,
  compute: computeNextWord,
  scene: (results, _, frame) => nextWordScene(results, frame),
  surface: createWordsStage<typeof fields, Results>(
    (results, _, frame) => nextWordScene(results, frame).picture,
    async () => (await import('./surface.ts')).nextWordSurface,
  ),
  staticBelow: async (results, spec, locked) => (await import('./below.ts')).renderStaticContent(results, spec, locked),
  readout({ placedWords, weights, guesses, copyingHead }, _, { key }) {
    const word = key === undefined ? undefined : placedWords[Math.trunc(key)];
    if (key === undefined || word === undefined)
      return strings.guessesReadout(
        guesses
          .slice(0, 3)
          .map(({ word: guessedWord, probability }) => strings.guessLabel(guessedWord, probability))
          .join(', '),
      );
    const weight = entryAt(weights, Math.trunc(key));
    return Number.isFinite(weight) ? strings.weightReadout(word, formatNumber(weight), copyingHead.head) : strings.unreadWordReadout(word);
  },
  proof: ({ residual }) => makeProof(strings.proof, residual, TOLERANCE),
  tables: ({ guesses, placedWords, weights, previousWeights }) => [
    {
      name: 'guesses',
      title: strings.tables.guesses,
      tensor: { shape: [guesses.length], data: Float32Array.from(guesses, ({ probability }) => probability) },
      rowTitle: strings.tables.word,
      columnTitle: strings.tables.probability,
      rows: guesses.map(({ word }) => word),
    },
    ...(
      [
        ['weights', weights],
        ['previous', previousWeights],
      ] as const
    ).map(([name, data]) => ({
      name,
      title: strings.tables[name],
      tensor: { shape: [data.length], data },
      rowTitle: strings.tables.word,
      columnTitle: strings.tables.weight,
      rows: placedWords,
    })),
  ],
  loadPrograms: () => import('./code.ts'),
});
