// What is said of gates with Selective RoPE, where they say how far each word counts.
import { formatNumber } from '../../../charts/number.ts';

const times = (gate: number): string => formatNumber(gate, { short: true });

export const selectiveWords = {
  question: 'How far does each word count?',
  between: 'Steps from key to query',
  constant: (gate: number) => {
    if (gate === 0) return 'all gates 0: no word has a position';
    return gate === 1 ? 'all gates 1: RoPE' : `all gates ${times(gate)}: RoPE with ${times(gate)} of each distance`;
  },
  counted: (said: string, steps: string) => `${said}; the gates in between count ${steps} steps`,
  at: {
    open: (word: string) => `Gate of “${word}”: 1, a whole step, as in RoPE`,
    closed: (word: string) => `Gate of “${word}”: 0, it is not counted: what is on either side of it is one step closer than in RoPE`,
    between: (word: string, gate: string) => `Gate of “${word}”: ${gate}. It counts as ${gate} of a step`,
  },
  open: 'All gates 1: RoPE',
  same: (gate: number) => `All gates ${times(gate)}`,
  proof: {
    steps: {
      what: 'largest difference between a score and that of RoPE at positions that grow by the gates',
      source: 'Rounding of float32, relative to the largest score.',
      holds: 'These are the scores of RoPE at positions that grow by the gate of each word instead of by 1.',
      amber: 'A score is not that of RoPE at positions that grow by the gates.',
    },
    rope: {
      what: 'largest difference between these weights and those of RoPE',
      source: 'Rounding of float32: weights are at most 1.',
      holds: 'Where every word counts as a whole step this is RoPE.',
      amber: 'These are not the weights of RoPE.',
    },
    squeezed: {
      what: 'largest difference between these weights and those of RoPE with all positions multiplied by the gate',
      source: 'Rounding of float32: weights are at most 1.',
      holds: 'Where all gates are one number this is RoPE with its positions multiplied by it: position interpolation.',
      amber: 'These are not the weights of RoPE with its positions multiplied by the gate.',
    },
    unplaced: {
      what: 'largest difference between these weights and those without an encoding',
      source: 'Rounding of float32: weights are at most 1.',
      holds: 'Where no word counts nothing is rotated: this is causal attention without an encoding.',
      amber: 'These are not the weights without an encoding.',
    },
    skipped: {
      what: 'largest difference between a score and that of the sentence without the words whose gate is 0',
      source: 'Rounding of float32, relative to the largest score.',
      holds: 'The other words have the scores that they would have if those with a gate of 0 were not there.',
      amber: 'The scores of the other words are not those of the sentence without the words whose gate is 0.',
    },
  },
} as const;
