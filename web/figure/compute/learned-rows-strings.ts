export const strings = {
  labels: { rows: 'rows' },
  help: {
    rows: 'Of a learned table. drawn: random, as before training; bert: the 512 trained rows of all-MiniLM-L6-v2, a small BERT of 384 channels.',
  },
  show: 'BERT’s table',
  back: 'Random table',
  notLearned: (id: string) => `rows: bert has rows of a learned table, and the encoding is ${id}; expected encoding learned, or rows drawn`,
  noModels: 'rows: this page has no trained table; expected drawn',
  tooWide: (dim: number, channels: number) => `dim: ${dim} channels are more than the rows of bert have; expected at most ${channels}`,
  cut: (sentence: string, channels: number, all: number) =>
    `${sentence.replace(/\.$/, '')}. Only the first ${channels} of ${all} channels are read.`,
} as const;
