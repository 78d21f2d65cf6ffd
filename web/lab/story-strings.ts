// Strings for the hint and the badge below the sentence. The build inserts the initial strings into the page's HTML
// (scripts/site/first-picture.mjs).
export const STORY_STRINGS = {
  initialHint: 'Drag a word. Without positions, no output changes.',
  singleWord: 'A single word can only attend to itself. Add another.',
  causalMaskHint: 'With the causal mask, each word attends only to itself and the words before it. Drag a word.',
  positionsHint: (encoding: string) => `The words now have positions (${encoding}). Drag a word to see whether the outputs change.`,
  trainedHint: (encoding: string) => `Trained with ${encoding}: each word attends to what followed its previous occurrence. Drag a word.`,
  untrainedHint: (encoding: string) =>
    `These heads are untrained. The trained heads of ${encoding} read at most 64 words, at most 26 of them distinct. Shorten the text to see them.`,
  trainedOutputsChanged: 'Now order matters: the words attend to other words.',
  maskMatters: 'Order matters even without an encoding, because the causal mask hides later words.',
  maskHasNoEffect: 'Here the mask made no difference. Drag another word.',
  outputsUnchanged: 'Each word’s output is unchanged; it moved with the word. Now choose an encoding.',
  outputsChanged: 'Now order matters: the same words get different outputs.',
  symmetricBias: 'A symmetric bias depends on distance but not on direction: the reversed sentence has the same outputs.',
  outputsOnlyMoved: 'The words have positions, but each word’s output moved with it, unchanged.',
  engineLoading: 'loading the engine',
  engineFailed: 'no results: the engine could not be started',
  noResults: 'no results for this setting',
} as const;
