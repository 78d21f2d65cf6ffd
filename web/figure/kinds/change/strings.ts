export const strings = {
  question: 'How does a new order change the outputs?',
  instruction: 'Point at a word to see the change in its output.',
  caption:
    'Attention is computed for the words as written, and again in another order. Each bar is the difference between a word’s two outputs.',
  chartTitle: 'Change in each word’s output',
  roundingLabel: (value: string) => `${value}, rounding`,
  quantity: 'largest difference in a word’s output',
  largestOutputLabel: 'largest output',
  originalOrder: 'The words are in the original order, so the outputs are the same.',
  wordReadout: (word: string, originalPosition: number, newPosition: number, value: string, largestOutput: string) =>
    `“${word}”, from position ${originalPosition} to position ${newPosition}: output differs by ${value}; the largest output is ${largestOutput}`,
  rangeReadout: (order: string, range: string) => `“${order}”: differences ${range}`,
  word: 'word',
  channel: 'channel',
  difference: 'difference',
  tableTitles: {
    differences: 'largest difference in each word’s output, by position',
    before: 'outputs of the words as written',
    after: 'outputs of the words in the new order',
    embeddings: 'embeddings of the words as written',
  },
} as const;
