// The words that several pictures write and say by themselves; those of one picture are beside it. What a picture is about comes with its numbers, from
// the words of its kind.
import { counted } from './english.ts';

export const VIEW_WORDS = {
  masked: 'masked',
  noValue: 'none',
  values: 'values',
  lines: {
    none: 'No lines.',
    count: (lines: number, quantity: string, over: string) => `${counted(lines, 'line')} of ${quantity} over ${over}`,
    one: (name: string, range: string) => `${name}: ${range}`,
  },
} as const;
