// Text that the book's scripts show.
export const ANSWER_STRINGS = {
  correct: 'Correct. Phasor computes the same answer.',
  incorrect: 'Not quite. See why.',
  publishedResults: { correct: 'Correct. The published results agree.', incorrect: 'Not quite: the published results differ. See why.' },
  skipQuestion: 'Skip',
  missingChoice: 'Choose an answer.',
  missingNumber: 'Enter a number.',
  storageFull: 'Browser storage is full: your answers are kept only until you close this page.',
} as const;

export const SEARCH_STRINGS = {
  noResults: (query: string) => `Nothing found for “${query}”.`,
  indexNotLoaded: 'The search index could not be loaded.',
  resultCount: (count: number) => (count === 1 ? '1 section' : `${count} sections`),
} as const;

export const PROGRESS_STRINGS = { chapterRead: 'read' } as const;

export const COPY_STRINGS = { copy: 'Copy', copied: 'Copied', textSelected: 'Selected: press Ctrl+C' } as const;

export const OWN_SENTENCE_STRINGS = {
  yourSentence: (readerSentence: string) => `Your sentence: “${readerSentence}”.`,
  useInAllFigures: 'Use it in all figures of the book',
  replacementNotice: (readerSentence: string, bookSentence: string) =>
    `The figures show your sentence, “${readerSentence}”. The text and the values in it refer to “${bookSentence}”.`,
  restoreOriginal: 'Restore original',
} as const;

export const MODEL_STRINGS = {
  sameEncoding: (name: string) => `${name} has the same encoding`,
  defaultEncoding: (name: string) => `${name}, unless its config.json specifies otherwise`,
  noMatch: (query: string) => `No model type contains “${query}”.`,
  matchesForPart: (part: string) => `For “${part}”:`,
  /** `typeCount` counts model types, not published models. */
  matchCount: (typeCount: number, entryCount: number) =>
    `${typeCount === 0 ? '' : `${typeCount} model ${typeCount === 1 ? 'type' : 'types'} in `}${entryCount} ${entryCount === 1 ? 'entry' : 'entries'}`,
  readingFile: 'Reading the file…',
  openInLab: 'Open in the Lab',
  notJson: (reason: string) => `This is not JSON (${reason}).`,
  tooDeep: (limit: number) => `The JSON is nested more than ${limit} levels deep; at most ${limit} are supported.`,
  notObject: 'This is JSON but not an object; expected the contents of a config.json.',
} as const;

export const GALLERY_STRINGS = {
  firstGroupTitle: 'Words and their order',
  malformedUrl: 'The URL cannot be decoded: a % sign is not followed by two hexadecimal digits.',
  duplicateField: (name: string) => `The URL contains ${name} more than once, so its value is ambiguous.`,
  missingKind: (name: string) => `The URL contains ${name} but no kind of figure; try similarity/?${name}=…`,
  unknownKind: (kind: string) => `kind: “${kind}” is unknown; all kinds are listed below.`,
  copied: 'Copied',
  copyLink: 'Copy link',
} as const;
