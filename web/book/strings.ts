// Strings of the book's scripts.
export const ANSWER_STRINGS = {
  right: 'Correct. Phasor computes the same answer.',
  wrong: 'Not quite. See why.',
  published: { right: 'Correct. The published results agree.', wrong: 'Not quite: the published results differ. See why.' },
  skip: 'Skip',
  nothing: 'Choose an answer.',
  noNumber: 'Enter a number.',
  full: 'Browser storage is full: your answers are kept only until you close this page.',
} as const;

export const SEARCH_STRINGS = {
  none: (query: string) => `Nothing found for “${query}”.`,
  failed: 'The search index could not be loaded.',
  count: (count: number) => (count === 1 ? '1 section' : `${count} sections`),
} as const;

export const PROGRESS_STRINGS = { read: 'read' } as const;

export const COPY_STRINGS = { copy: 'Copy', copied: 'Copied', selected: 'Selected: press Ctrl+C' } as const;

export const OWN_SENTENCE_STRINGS = {
  typed: (readerSentence: string) => `Your sentence: “${readerSentence}”.`,
  use: 'Use it in all figures of the book',
  shown: (readerSentence: string, bookSentence: string) =>
    `The figures show your sentence, “${readerSentence}”. The text and the values in it refer to “${bookSentence}”.`,
  again: 'Restore original',
} as const;

export const MODEL_STRINGS = {
  same: (name: string) => `${name} has the same encoding`,
  byDefault: (name: string) => `${name}, unless its config.json specifies otherwise`,
  none: (query: string) => `No model type contains “${query}”.`,
  instead: (part: string) => `For “${part}”:`,
  /** `types` counts model types, not published models. */
  count: (types: number, entries: number) =>
    `${types === 0 ? '' : `${types} model ${types === 1 ? 'type' : 'types'} in `}${entries} ${entries === 1 ? 'entry' : 'entries'}`,
  reading: 'Reading the file…',
  lab: 'Open in the Lab',
  notJson: (reason: string) => `This is not JSON (${reason}).`,
  tooDeep: (limit: number) => `The JSON is nested more than ${limit} levels deep; at most ${limit} are supported.`,
  notObject: 'This is JSON but not an object; expected the contents of a config.json.',
} as const;

export const GALLERY_STRINGS = {
  first: 'Words and their order',
  malformed: 'The URL cannot be decoded: a % sign is not followed by two hexadecimal digits.',
  twice: (name: string) => `The URL contains ${name} more than once, so its value is ambiguous.`,
  noKind: (name: string) => `The URL contains ${name} but no kind of figure; try similarity/?${name}=…`,
  unknown: (kind: string) => `kind: “${kind}” is unknown; all kinds are listed below.`,
  copied: 'Copied',
  copy: 'Copy link',
} as const;
