// The words of the part below a sentence with buttons.
import { spaced } from '../../../charts/english.ts';
import { capital } from '../../../charts/number.ts';
import { words } from './strings.ts';

const NAMES: { readonly [id: string]: readonly [name: string, meaning: string] } = {
  none: ['No position', 'only the words'],
  alibi: ['ALiBi', 'near counts more'],
  rope: ['RoPE', 'turns with place'],
};

const button = (id: string): readonly [name: string, meaning: string] => NAMES[id] ?? [capital(spaced(id)), 'set for this figure'];
const name = (id: string): string | undefined => (id === 'none' ? undefined : button(id)[0]);

export const buttonWords = {
  ask: 'Move a word. Does any output change?',
  group: 'How attention is told where a word is',
  button,
  /** Undefined: no position. */
  name,
  twins: (encoding: string | undefined, word: string, isSame: boolean) =>
    `${encoding === undefined ? 'Without positions' : `With ${encoding}`}, the two “${word}” come out ${isSame ? 'the same' : 'different'}.`,
  nothing: 'Nothing changed.',
  some: (changed: number, count: number) => words.outcome(changed, count),
  noticed: (encoding: string | undefined) => `${encoding ?? 'The mask'} noticed the move.`,
  unnoticed: (encoding: string | undefined) => `${encoding ?? 'Attention'} did not notice the move.`,
  same: words.same,
  changed: words.changed,
  outputs: (outcome: string) => `outputs ${outcome}`,
  toFront: (word: string) => `Move “${word}” to the front`,
  putBack: 'Put the words back',
  earlier: (word: string) => `Move earlier: ${word}`,
  later: (word: string) => `Move later: ${word}`,
  checked: '✓ checked',
  legend: (cells: number, head: number, heads: number, seed: number | undefined) =>
    `Bar codes: ${cells} numbers of each output, above before and below now. Untrained attention, head ${head} of ${heads}${seed === undefined ? '' : `, seed ${seed}`}.`,
  unknown: 'Words that are underlined are not in the vocabulary and have random vectors.',
  retry: words.retry,
} as const;
