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
  wordTitle: 'word',
  channelTitle: 'channel',
  keyLabel: (word: string) => `key of “${word}”`,
  formatVector: (x: string, y: string) => `(${x}, ${y})`,
  description: (word: string, words: number, first: string, last: string) =>
    `The key of “${word}” begins at ${first}; ${words} ${words === 1 ? 'word' : 'words'} later it is at ${last}.`,
  lastWordDescription: (word: string, key: string) => `The key of “${word}” is at ${key}; no word comes after it.`,
  shownWordsNote: (shownCount: number, totalCount: number) => `the first ${shownCount} of ${totalCount} words after the key`,
  initialKeyReadout: (word: string, key: string) => `The key of “${word}” is ${key}`,
  wordReadout: (keyWord: string, word: string, before: string, after: string) =>
    `“${word}” moves the key of “${keyWord}” from ${before} to ${after}`,
  finalKeyReadout: (keyWord: string, words: number, key: string) =>
    `Key of “${keyWord}” after ${words} ${words === 1 ? 'word' : 'words'}: ${key}`,
  proof: {
    quantity: 'largest difference between transforming the key by all words at once and by one word at a time',
    toleranceSource: 'Float32 rounding: keys have length at most 1.',
    passes: 'In PaTH the words transform the key one after another, so their order matters.',
    fails: 'Transforming the key by all words at once differs from transforming it by one word at a time.',
  },
} as const;
