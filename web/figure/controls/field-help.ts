// What a field that several kinds have means, as a sentence at its control; a kind has those of its own fields (`FigureKind.help`).
const HELP: { readonly [name: string]: string } = {
  encoding: 'The positional encoding and its parameters.',
  length: 'How many positions are shown, from 0 on.',
  offset: 'The position of the first row.',
  width: 'Channels of an embedding, or of one head for encodings of queries and keys.',
  heads: 'How many attention heads.',
  head: 'The head that is shown, counted from 1.',
  measure: 'Cosine of the angle between two vectors, or their dot product.',
  text: 'Words and punctuation become tokens.',
  order: 'For each place the number of the word there, counted from 0; empty: as written.',
  mask: 'With a causal mask a token sees only itself and those before it.',
  seed: 'For the random numbers; the same seed gives the same numbers everywhere.',
  projections: 'How queries, keys and values are made from embeddings.',
  query: 'The position of the query, m.',
  key: 'The position of the key, n.',
  colors: 'Linear, or by the square root, which shows small weights beside a large one.',
};

export const fieldHelp = (name: string): string => HELP[name] ?? '';
