import { formatWholePercent } from '../../charts/english.ts';

export const WORD_STRINGS = {
  list: 'Words of the sentence',
  hint: 'Drag a word, or move it with Alt and an arrow key.',
  touch: 'Press and hold a word, then drag it.',
  keys: 'Arrow keys choose a word. Space lifts it, and arrow keys then move it; Alt or Shift and an arrow key move it at once. Home and End go to the first and last word.',
  share: (weight: number) => (Number.isFinite(weight) ? formatWholePercent(weight) : 'masked'),
  unknownTile: 'not in the vocabulary',
  moved: (word: string, place: number, count: number, outcome: string) => `${word} is now word ${place} of ${count}. ${outcome}`,
  putBack: 'Reset order',
} as const;
