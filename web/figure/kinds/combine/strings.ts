export const words = {
  question: 'Add positions to words, or concatenate them?',
  instruction: 'Compare the two sides: what is left of the words, and of the positions?',
  caption:
    'Random word vectors with positions added, and with positions in channels of their own. Above: how alike the results are. Below: the position that a linear probe reads from each.',
  position: 'position',
  modes: { add: 'added', concatenate: 'concatenated' },
  similarity: 'cosine similarity',
  predicted: 'predicted position',
  guess: 'predicted',
  truth: 'true',
  heading: (mode: string, width: number) => `${mode}, ${width} channels`,
  probe: (mode: string, rSquared: string, error: string) => `${mode} (R² ${rSquared}, mean error ${error})`,
  range: (wordsAlone: string, added: string, addedError: string, beside: string, besideError: string) =>
    `R² of the probe: ${wordsAlone} for words alone, ${added} when positions are added (mean error ${addedError} positions), ${beside} when concatenated (${besideError})`,
  at: (position: number, added: string, beside: string) =>
    `Position ${position}: the probe reads ${added} when positions are added, ${beside} when they are concatenated`,
  pair: (query: number, key: number, added: string, beside: string) =>
    `Positions ${query} and ${key}: similarity ${added} when added, ${beside} when concatenated`,
  predictions: 'positions that the probe predicts',
  proof: {
    what: 'largest difference between dot products of concatenated vectors and the sum of those of words and of positions',
    source: 'Rounding of float32 in sums over the channels, relative to the largest dot product.',
    holds: (cross: string, largest: string) =>
      `Concatenated, words and positions never meet: dot products are sums of both. Added, they meet in cross terms of up to ${cross}, where the largest dot product is ${largest}.`,
    amber: 'The dot products of concatenated vectors are not the sums of those of words and positions.',
  },
} as const;
