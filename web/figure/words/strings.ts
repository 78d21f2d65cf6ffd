import { formatWholePercent } from '../../charts/english.ts';

export const WORD_STRINGS = {
  list: 'Words of the sentence',
  hint: 'Drag a word, or move it with Alt and an arrow key.',
  touch: 'Press and hold a word, then drag it.',
  keys: 'Select a word with the arrow keys, Home or End. To move it, press Space and then the arrow keys, or hold Alt or Shift and press an arrow key.',
  share: (weight: number) => (Number.isFinite(weight) ? formatWholePercent(weight) : 'masked'),
  unknownTile: 'not in the vocabulary',
  moved: (word: string, place: number, count: number, outcome: string) => `${word} is now word ${place} of ${count}. ${outcome}`,
  putBack: 'Reset order',
} as const;
