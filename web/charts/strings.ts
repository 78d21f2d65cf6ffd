// Strings that several charts share. Titles and quantities are defined for each kind of figure.

import { countWithNoun } from './english.ts';

export const VIEW_STRINGS = {
  masked: 'masked',
  noValue: 'none',
  values: 'values',
  lines: {
    none: 'No lines.',
    count: (lines: number, quantity: string, over: string) => `${countWithNoun(lines, 'line')} of ${quantity} over ${over}`,
    one: (name: string, range: string) => `${name}: ${range}`,
  },
} as const;
