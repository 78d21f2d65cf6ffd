// What a field that several kinds have means, as a sentence at its control; a kind has those of its own fields (`FigureKind.help`).
const HELP: { readonly [name: string]: string } = {
  encoding: 'The positional encoding and its parameters.',
  length: 'How many positions are shown, starting at 0.',
  offset: 'The position of the first row.',
  width: 'Channels of an embedding, or of one head for encodings of queries and keys.',
  heads: 'Number of attention heads.',
  head: 'The head that is shown, counted from 1.',
  measure: 'Cosine of the angle between two vectors, or their dot product.',
  text: 'Words and punctuation become tokens.',
  order: 'For each place, the number of the word there, counted from 0. Empty: as written.',
  mask: 'With a causal mask, each token sees only itself and the tokens before it.',
  seed: 'Seed of the random numbers: the same seed gives the same numbers everywhere.',
  projections: 'How queries, keys and values are made from embeddings.',
  query: 'The position of the query, m.',
  key: 'The position of the key, n.',
  colors: 'Linear, or the square root, which makes small weights visible beside a large one.',
};

export const fieldHelp = (name: string): string => HELP[name] ?? '';
