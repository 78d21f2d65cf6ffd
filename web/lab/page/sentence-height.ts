// How high the sentence is drawn: the room that is kept for it before it comes is as high (styles/sentence.css).

/** The height of the picture at most, CSS px. */
export const SENTENCE_HEIGHT = { high: 206, low: 166 } as const;

/** Arcs are lower where the window is low. */
export const sentenceHeight = (windowHeight: number): number => SENTENCE_HEIGHT[windowHeight < 800 ? 'low' : 'high'];
