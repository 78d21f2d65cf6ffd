export const strings = {
  question: 'How does PaTH move a key?',
  instruction: 'Follow the key from word to word.',
  caption:
    'In PaTH every word after a key transforms it. Each word has a direction, and with β = 2 it reflects the key across the line perpendicular to that direction (dashed); with smaller β the key moves only part of the way. Here vectors have two channels.',
  labels: { key: 'key of word', beta: 'β' },
  help: {
    key: 'Index of the word whose key is transformed, counted from 0.',
    beta: '2 reflects the key, 1 removes its component along the word’s direction, 0 does not change it.',
  },
  titles: { keys: 'The key after each word', directions: 'Directions of the words' },
  word: 'word',
  channel: 'channel',
  own: (word: string) => `key of “${word}”`,
  vector: (x: string, y: string) => `(${x}, ${y})`,
  description: (word: string, words: number, first: string, last: string) =>
    `The key of “${word}” begins at ${first}; ${words} ${words === 1 ? 'word' : 'words'} later it is at ${last}.`,
  alone: (word: string, at: string) => `The key of “${word}” is at ${at}; no word comes after it.`,
  more: (shown: number, all: number) => `the first ${shown} of ${all} words after the key`,
  begins: (word: string, at: string) => `The key of “${word}” is ${at}`,
  after: (own: string, word: string, before: string, now: string) => `“${word}” moves the key of “${own}” from ${before} to ${now}`,
  range: (own: string, words: number, now: string) => `Key of “${own}” after ${words} ${words === 1 ? 'word' : 'words'}: ${now}`,
  proof: {
    quantity: 'largest difference between transforming the key by all words at once and by one word at a time',
    toleranceSource: 'Float32 rounding: keys have length at most 1.',
    passes: 'In PaTH the words transform the key one after another, so their order matters.',
    fails: 'Transforming the key by all words at once differs from transforming it by one word at a time.',
  },
} as const;
