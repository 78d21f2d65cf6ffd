// The height that is reserved for the sentence before it is drawn (styles/sentence.css).

/** The maximum height of the sentence's picture in CSS px. */
export const SENTENCE_HEIGHTS = { high: 206, low: 150, flat: 110 } as const;

/** Arcs are lower in a short window, and flat on a phone in landscape. */
export const chooseSentenceHeight = (windowHeight: number): number =>
  SENTENCE_HEIGHTS[windowHeight < 500 ? 'flat' : windowHeight < 800 ? 'low' : 'high'];
