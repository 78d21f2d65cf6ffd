// What is said of a learned bias.
import { counted } from './strings.ts';

export const biasWords = {
  bias: 'bias',
  entry: 'entry',
  learned: (name: string) => `${name}, as learned`,
  title: 'The learned bias by distance',
  largest: (heads: string) => `Largest bias: ${heads}`,
  ofHead: (head: number, character: string, value: string) => `head ${head} for ${character} (${value})`,
  at: (distance: number, values: string) => `${distance === 0 ? 'The character itself' : `${counted(distance)} back`}: ${values}`,
  headValue: (head: number, value: string) => `head ${head} ${value}`,
  noTable: (id: string) => `${id} has no learned numbers of positions to show; its attention is under heads`,
  proof: {
    what: 'largest difference of two learned biases at the same distance',
    holds: 'The learned bias depends on the distance only.',
    amber: 'The learned bias depends on more than the distance.',
  },
} as const;
