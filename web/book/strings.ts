// The words that scripts of the book say, in one place.
export const ANSWER_WORDS = {
  right: 'Yes. That is what the core computes.',
  wrong: 'The core says otherwise. See why.',
  published: { right: 'Yes. That is what was published.', wrong: 'The published numbers say otherwise. See why.' },
  nothing: 'Choose one first.',
  noNumber: 'Write a number first.',
  full: 'Your answers last until you close this page: the browser has no more room for what this site stores.',
} as const;

export const SEARCH_WORDS = {
  none: (query: string) => `Nothing found for “${query}”.`,
  failed: 'The index could not be loaded.',
  count: (count: number) => (count === 1 ? '1 section' : `${count} sections`),
} as const;

export const PROGRESS_WORDS = { read: 'read' } as const;

export const COPY_WORDS = { copy: 'Copy', copied: 'Copied', selected: 'Selected: press Ctrl+C' } as const;

export const OWN_SENTENCE_WORDS = {
  typed: (own: string) => `“${own}”: your sentence.`,
  use: 'Use it in all figures of the book',
  shown: (own: string, written: string) => `Figures show your sentence, “${own}”. The text and its numbers are about “${written}”.`,
  again: 'Show that one again',
} as const;

export const GALLERY_WORDS = {
  malformed: 'This address has a % without two hexadecimal digits after it, so its meaning is unknown; all figures are shown.',
  twice: (name: string) => `This address says ${name} more than once, so it is unclear which is meant; all figures are shown.`,
  noKind: (name: string) => `This address says ${name} but no kind of figure: write ?kind=similarity&${name}=…; all figures are shown.`,
} as const;
