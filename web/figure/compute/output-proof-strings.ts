// What the proof of permutation equivariance says, in every figure that has it.
export const proofWords = {
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
} as const;
