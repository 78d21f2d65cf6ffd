import { WORD_STRINGS } from '../../words/strings.ts';

export const strings = {
  ...WORD_STRINGS,
  question: 'Does attention depend on word order?',
  instruction: 'Drag a word to another place.',
  caption: 'Ribbons show the attention of the chosen word, stripes the encoding of each position.',
  labels: { clocks: 'clocks', buttons: 'buttons' },
  help: {
    clocks: 'Show the angles of a position as clocks below the words.',
    buttons: 'Show each word’s output before and after a move, and buttons for three encodings, below the words.',
  },
  title: (word: string, head: number) => `Attention of “${word}”, head ${head}`,
  stripesTitle: 'The encoding of each position',
  quantities: { table: 'value', angles: 'angle', bias: 'bias', addition: 'addition' },
  /** Legends of the stripes, keyed by cursor axis. */
  legend: { channel: 'added vector', pair: 'pair angles', key: 'bias per key' },
  stripesNote: (legend: string) => `Stripes: ${legend}.`,
  clocksTitle: (word: string, position: number) => `Clocks of “${word}” at position ${position}`,
  dragInstruction: 'Drag a word to another place.',
  attentionShare: (share: string, query: string) => `${share} of the attention of “${query}”`,
  beforeLabel: 'before',
  nowLabel: 'now',
  sameOutput: ['=', 'same'],
  changedOutput: ['≠', 'changed'],
  moveLeft: (word: string) => `Move left: ${word}`,
  moveRight: (word: string) => `Move right: ${word}`,
  unknownWords: 'dotted: not in the vocabulary; a fixed random vector is used',
  omittedWeights: (drawnCount: number, count: number) => `Showing the ${drawnCount} largest of ${count} weights.`,
  wordPosition: (word: string, position: number, count: number) => `${word}: position ${position} of ${count}`,
  outcome: (changedCount: number, count: number) =>
    changedCount === 0
      ? 'Nothing changed.'
      : changedCount === count
        ? 'Every output changed.'
        : `${changedCount} of ${count} outputs changed.`,
  /** Both signs are neutral, because neither result is an error. */
  verdicts: { passes: '= same', fails: '≠ changed' },
  originalOrder: 'The words are in their original order.',
  buttonsUnavailable: 'unavailable with a trained model; expected false',
  retry: 'Try again',
  weightReadout: (query: string, key: string, weight: string) => `“${query}” attends to “${key}”: weight ${weight}`,
  maskedReadout: (query: string, key: string) => `“${query}” cannot attend to “${key}”: it is masked`,
  strongestKey: (query: string, key: string, weight: string, head: number, heads: number) =>
    `In head ${head} of ${heads}, “${query}” attends most to ${key}: weight ${weight}`,
  itself: 'itself',
  quotedWord: (word: string) => `“${word}”`,
  stripeReadout: (position: number, column: string, value: string) => `Position ${position}, ${column}: ${value}`,
  columnLabel: { channel: (index: number) => `channel ${index}`, pair: (index: number) => `pair ${index}` },
  tables: {
    weights: 'attention weights',
    added: 'the encoding of each position',
    embeddings: 'embeddings of the words, in this order',
  },
  query: 'query',
  key: 'key',
  word: 'word',
  position: 'position',
  channel: 'channel',
  pair: 'pair of channels',
} as const;
