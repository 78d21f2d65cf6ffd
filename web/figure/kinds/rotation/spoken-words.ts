// What is said after a movement, fetched with what hands do.
export const spoken = {
  at: (query: string, key: string) => `Query at ${query}, key at ${key}.`,
  still: (score: string) => `Both moved; the score is still ${score}.`,
  is: (score: string) => `The score is ${score}.`,
  changed: (before: string, score: string) => `The score went from ${before} to ${score}.`,
} as const;
