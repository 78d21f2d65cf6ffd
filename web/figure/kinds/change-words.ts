export const words = {
  question: 'What changes when words change places?',
  caption:
    'Attention is computed for the words as written and again in another order. Each bar is how much the output of a word differs between the two.',
  title: 'Change of each word’s output',
  quantity: 'largest difference in a word’s output',
  reference: 'largest output',
  unmoved: 'No word has moved, so the two outputs are the same.',
  cell: (word: string, from: number, to: number, value: string, share: string) =>
    `“${word}”, from place ${from} to place ${to}: output differs by ${value}, outputs are up to ${share}`,
  range: (order: string, range: string) => `“${order}”: differences ${range}`,
  word: 'word',
  channel: 'channel',
  difference: 'difference',
  tables: {
    differences: 'largest difference of each word’s output, by place',
    before: 'outputs of the words as written',
    after: 'outputs of the words in the other order',
    embeddings: 'embeddings of the words as written',
  },
  proof: {
    what: 'largest difference in any output, after the words are put back',
    source: 'Rounding of float32 in sums over words and channels, relative to the largest output.',
    single: 'One word has only one order.',
    moved: {
      holds: (isAny: boolean) =>
        `The outputs are the same, only in the new order: attention does not notice ${isAny ? 'the' : 'this'} order.`,
      amber: 'The outputs are not the same: the order of the words counts.',
    },
    /** No word has moved: one was moved for the proof. */
    tried: {
      holds: (isAny: boolean) =>
        `If the first word came last, the outputs would be the same, only in the new order: attention does not notice ${isAny ? 'the' : 'this'} order.`,
      amber: 'If the first word came last, the outputs would not be the same: the order of the words counts.',
    },
  },
} as const;
