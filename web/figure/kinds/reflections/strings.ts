export const words = {
  question: 'How does PaTH move a key?',
  instruction: 'Follow the key from word to word.',
  caption:
    'In PaTH every word after a key changes it once more. Each word has a direction, and with β = 2 it reflects the key in the mirror at right angles to that (dashed); with less the key moves only part of the way. Here vectors have two channels.',
  labels: { key: 'key of word', beta: 'β' },
  help: {
    key: 'The place of the word whose key is followed, counted from 0.',
    beta: '2 reflects the key, 1 removes its component along the word’s direction, 0 leaves it as it is.',
  },
  titles: { keys: 'The key after each word', directions: 'Directions of the words' },
  word: 'word',
  channel: 'channel',
  own: (word: string) => `key of “${word}”`,
  vector: (x: string, y: string) => `(${x}, ${y})`,
  description: (word: string, words: number, first: string, last: string) =>
    `The key of “${word}” begins at ${first}; ${words} ${words === 1 ? 'word' : 'words'} later it is at ${last}.`,
  alone: (word: string, at: string) => `The key of “${word}” is at ${at}; no word comes after it.`,
  more: (shown: number, all: number) => `the first ${shown} of ${all} words after it`,
  begins: (word: string, at: string) => `The key of “${word}” is ${at}`,
  after: (own: string, word: string, before: string, now: string) => `“${word}” moves the key of “${own}” from ${before} to ${now}`,
  range: (own: string, words: number, now: string) => `Key of “${own}” after ${words} ${words === 1 ? 'word' : 'words'}: ${now}`,
  proof: {
    what: 'largest difference between the key moved by all words at once and by one word after the other',
    source: 'Rounding of float32: keys have length 1 at most.',
    holds: 'What PaTH computes for a query far away is the key moved by each word in turn: the order of the words counts.',
    amber: 'The key moved by all words at once is not the key moved by one after the other.',
  },
} as const;
