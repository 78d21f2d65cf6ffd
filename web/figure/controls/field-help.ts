// Help for fields shared by several figure kinds. A kind defines the help for its other fields (`FigureKind.help`).
const FIELD_HELP: { readonly [name: string]: string } = {
  encoding: 'The positional encoding and its parameters.',
  length: 'Number of positions shown, starting at 0.',
  positionOffset: 'The position of the first row.',
  dim: 'Channels per embedding, or per head if the encoding acts on queries and keys.',
  heads: 'Number of attention heads.',
  head: 'The selected head, counted from 1.',
  metric: 'Similarity metric: cosine or dot product.',
  text: 'Words and punctuation become tokens.',
  order: 'Index of the word at each position, starting at 0. Leave empty for the original order.',
  mask: 'With a causal mask, each token attends only to itself and earlier tokens.',
  seed: 'Random seed: the same seed gives the same values on every device.',
  projections: 'Projections from embeddings to queries, keys and values.',
  query: 'Query position m.',
  key: 'Key position n.',
  colors: 'Colour scale: linear, or square root to make small weights visible.',
};

export const getFieldHelp = (name: string): string => FIELD_HELP[name] ?? '';
