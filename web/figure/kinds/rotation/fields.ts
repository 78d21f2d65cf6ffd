import { choice, count, encoding, type Field, FieldError, number, numbers, type SpecOf } from '../../contract/fields.ts';
import { strings } from './strings.ts';

/**
 * The positions of query and key, or an empty list. Printed with a space between them, because commas separate fields
 * in links to the Lab.
 */
const pairOfPositions: Field<readonly number[]> = {
  ...numbers([], (provided) => {
    if (provided.length !== 0 && provided.length !== 2) throw new FieldError(strings.notPositionPair);
  }),
  print: (values) => values.join(' '),
};

export const fields = {
  encoding: encoding('rope', 'rotation'),
  dim: count(16, 1, 256),
  query: number(5, -1e6, 1e6),
  key: number(2, -1e6, 1e6),
  // With 16 channels, pair 1 rotates by 18° per position: one step is visible, and 16 positions are less than a full rotation.
  pair: count(1, 0, 127),
  vector: choice('query', 'key'),
  vectors: choice('random', 'ones'),
  // Selected from 20,000 seeds: in pair 1, query and key both have length 1.3 and are 52° apart at distance 3, and no
  // other distance has a similar score.
  seed: number(14417, 0, 2 ** 32 - 1, { whole: true }),
  length: count(16, 1, 128),
  show: choice('one_pair', 'all_pairs', 'three_ways'),
  from: pairOfPositions,
};
export type Spec = SpecOf<typeof fields>;
