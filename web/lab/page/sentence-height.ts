// The heights reserved for the sentence figure before it is drawn (styles/sentence.css).

/** Maximum heights of the sentence figure in CSS px. */
export const SENTENCE_HEIGHTS = { high: 206, low: 150, flat: 110 } as const;

/** Selects lower arcs for a short window, and flat arcs for a phone in landscape. */
export const chooseSentenceHeight = (windowHeight: number): number =>
  SENTENCE_HEIGHTS[windowHeight < 500 ? 'flat' : windowHeight < 800 ? 'low' : 'high'];
