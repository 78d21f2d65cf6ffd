export const strings = {
  question: 'Add positions to words, or concatenate them?',
  instruction: 'Compare the two sides: how well can words and positions be recovered?',
  caption:
    'Random word vectors with positions added or concatenated. Above: the similarity of the combined vectors. Below: the positions that a linear probe predicts from them.',
  position: 'position',
  modeNames: { add: 'added', concatenate: 'concatenated' },
  similarity: 'cosine similarity',
  predictedPosition: 'predicted position',
  predictedSeries: 'predicted',
  trueSeries: 'true',
  panelTitle: (mode: string, width: number) => `${mode}, ${width} channels`,
  probeAxisTitle: (seriesName: string, rSquared: string, error: string) => `${seriesName} (R² ${rSquared}, mean error ${error})`,
  probeReadout: (wordRSquared: string, added: string, addedError: string, concatenated: string, concatenatedError: string) =>
    `R² of the probe: ${wordRSquared} for words alone, ${added} when positions are added (mean error ${addedError} positions), ${concatenated} when concatenated (${concatenatedError})`,
  positionReadout: (position: number, added: string, concatenated: string) =>
    `Position ${position}: the probe predicts ${added} when positions are added, ${concatenated} when they are concatenated`,
  pairReadout: (query: number, key: number, added: string, concatenated: string) =>
    `Positions ${query} and ${key}: similarity ${added} when added, ${concatenated} when concatenated`,
  predictionsTitle: 'positions predicted by the probe',
  proof: {
    quantity: 'largest difference between a dot product of concatenated vectors and the sum of its word and position parts',
    toleranceSource: 'Float32 rounding in sums over the channels, relative to the largest dot product.',
    passes: (maxCrossTerm: string, maxProduct: string) =>
      `After concatenation, each dot product is a word part plus a position part. After addition, there are also cross terms, up to ${maxCrossTerm}; the largest dot product is ${maxProduct}.`,
    fails: 'The dot products of concatenated vectors are not the sums of their word and position parts.',
  },
} as const;
