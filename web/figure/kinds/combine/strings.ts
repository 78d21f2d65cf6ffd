export const strings = {
  question: 'Add positions to words, or concatenate them?',
  instruction: 'Compare the two sides: how well can words and positions be recovered?',
  caption:
    'Random word vectors with positions added or concatenated. Above: the similarity of the combined vectors. Below: the positions that a linear probe predicts from them.',
  position: 'position',
  modes: { add: 'added', concatenate: 'concatenated' },
  similarity: 'cosine similarity',
  predicted: 'predicted position',
  guess: 'predicted',
  truth: 'true',
  heading: (mode: string, width: number) => `${mode}, ${width} channels`,
  probe: (mode: string, rSquared: string, error: string) => `${mode} (R² ${rSquared}, mean error ${error})`,
  range: (wordsAlone: string, added: string, addedError: string, concatenated: string, concatenatedError: string) =>
    `R² of the probe: ${wordsAlone} for words alone, ${added} when positions are added (mean error ${addedError} positions), ${concatenated} when concatenated (${concatenatedError})`,
  at: (position: number, added: string, concatenated: string) =>
    `Position ${position}: the probe predicts ${added} when positions are added, ${concatenated} when they are concatenated`,
  pair: (query: number, key: number, added: string, concatenated: string) =>
    `Positions ${query} and ${key}: similarity ${added} when added, ${concatenated} when concatenated`,
  predictions: 'positions predicted by the probe',
  proof: {
    quantity: 'largest difference between a dot product of concatenated vectors and the sum of its word and position parts',
    toleranceSource: 'Float32 rounding in sums over the channels, relative to the largest dot product.',
    passes: (cross: string, largest: string) =>
      `After concatenation, each dot product is a word part plus a position part. After addition, there are also cross terms, up to ${cross}; the largest dot product is ${largest}.`,
    fails: 'The dot products of concatenated vectors are not the sums of their word and position parts.',
  },
} as const;
