// Help for the fields that several kinds share. A kind defines the help for its other fields (`FigureKind.help`).
const FIELD_HELP: { readonly [name: string]: string } = {
  encoding: 'The positional encoding and its parameters.',
  length: 'Number of positions shown, starting at 0.',
  positionOffset: 'The position of the first row.',
  dim: 'Channels of an embedding, or of one head for encodings of queries and keys.',
  heads: 'Number of attention heads.',
  head: 'The selected head, counted from 1.',
  metric: 'Similarity metric: cosine or dot product.',
  text: 'Words and punctuation become tokens.',
  order: 'The index of the word at each position, from 0. Empty: original order.',
  mask: 'With a causal mask, each token attends only to itself and earlier tokens.',
  seed: 'Seed of the random numbers: the same seed gives the same numbers everywhere.',
  projections: 'The projections that compute queries, keys and values from embeddings.',
  query: 'The position of the query, m.',
  key: 'The position of the key, n.',
  colors: 'The colour scale: linear, or square root, which makes small weights visible beside large ones.',
};

export const getFieldHelp = (name: string): string => FIELD_HELP[name] ?? '';
