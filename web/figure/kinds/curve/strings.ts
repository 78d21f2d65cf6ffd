import { whole } from '../../../charts/english.ts';

/** Why some biases are no numbers of their own. */
const FIXED: { readonly [id: string]: string } = {
  sandwich: 'This bias is a sum of waves without parameters of its own, so there is nothing to drag.',
  proximal: 'This bias is a formula without parameters of its own, so there is nothing to drag.',
  fire: 'A small network computes this bias from all of its parameters, so no point has one of its own to drag.',
  kerple: 'In this form weights come before the bias, so no number belongs to one point; other forms can be dragged.',
  shaw: 'This bias is the product of a query and a vector for each distance, so no point has one number to drag.',
};
const CONTENT = 'This bias depends on the words of query and key, so no point has one number to drag.';
const OTHERWISE = 'No point of this bias has a number of its own, so there is nothing to drag.';

/** The numbers of encodings that can be dragged, by parameter: what is changed, and the name of one. */
const ENTRIES: { readonly [param: string]: { readonly what: string; name(place: number, heads: number): string } } = {
  slopes: { what: 'the slope of its head', name: () => 'slope' },
  r1: { what: 'the factor r1 of its head', name: () => 'r1' },
  table: { what: 'the entry of its bucket and head', name: (place, heads) => `bucket ${Math.floor(place / heads)}` },
  b: { what: 'the entry of that distance', name: (place) => `table entry ${place}` },
  table_k: { what: 'the entry of that distance', name: (place) => `table entry ${place}` },
};

export const words = {
  question: 'How does the bias change with distance?',
  instruction: 'Drag a line up or down, or point at a distance.',
  caption: 'The bias of a query in the middle for every key, a line for each head. Keys on the left of the query have negative distances.',
  distance: 'distance (key minus query)',
  bias: 'bias',
  head: (head: number) => `head ${head}`,
  range: (query: number, range: string) => `Biases of the query at ${query}: ${range}`,
  at: (distance: string, values: string) => `Distance ${distance}: ${values}`,
  value: (head: string, value: string) => `${head} ${value}`,
  drag: {
    how: (param: string) => `Drag a line, or press + and − at the cursor, to change ${ENTRIES[param]?.what ?? param}.`,
    none: (id: string, readsContent: boolean) => FIXED[id] ?? (readsContent ? CONTENT : OTHERWISE),
    many: (count: number, most: number) =>
      `The table has ${whole.format(count)} numbers, and at most ${whole.format(most)} can be dragged; a shorter table has fewer.`,
    reset: 'Reset',
    own: 'Default values',
  },
  entry: (param: string, place: number, heads: number, value: string) => `${ENTRIES[param]?.name(place, heads) ?? param} ${value}`,
  proof: {
    what: 'largest difference between two biases of one head at the same distance',
    source: 'Rounding of float32, relative to the largest bias.',
    holds: 'The bias is a function of distance: every query would draw the same lines.',
    amber: 'The bias is not a function of distance alone: another query would draw other lines.',
  },
} as const;
