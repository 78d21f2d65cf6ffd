export const strings = {
  question: 'How does a new order change the outputs?',
  instruction: 'Point at a word to see the change in its output.',
  caption:
    'Attention is computed for the words as written, and again in another order. Each bar is the difference between a word’s two outputs.',
  title: 'Change in each word’s output',
  rounding: (value: string) => `${value}, rounding`,
  quantity: 'largest difference in a word’s output',
  reference: 'largest output',
  unmoved: 'The words are in the original order, so the outputs are the same.',
  cell: (word: string, from: number, to: number, value: string, share: string) =>
    `“${word}”, from position ${from} to position ${to}: output differs by ${value}; the largest output is ${share}`,
  range: (order: string, range: string) => `“${order}”: differences ${range}`,
  word: 'word',
  channel: 'channel',
  difference: 'difference',
  tables: {
    differences: 'largest difference in each word’s output, by position',
    before: 'outputs of the words as written',
    after: 'outputs of the words in the new order',
    embeddings: 'embeddings of the words as written',
  },
} as const;
