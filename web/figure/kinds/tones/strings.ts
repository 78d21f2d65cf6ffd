import { formatGroupedDecimal, wholeNumber } from '../../../charts/english.ts';
import { formatCount, formatNumber } from '../../../charts/number.ts';
import type { Interval } from './pitch.ts';

const formatHertz = (value: number): string =>
  value >= 1000 ? `${wholeNumber.format(Math.round(value))} Hz` : `${formatNumber(value)} Hz`;

export const strings = {
  question: 'What does RoPE sound like?',
  instruction: 'Press “Listen”, then stretch the tones while they sound.',
  caption:
    'Each pair of channels rotates at its own speed. At a few thousand tokens per second, the speeds become tones; extending a model to longer texts lowers them.',
  labels: { step: 'positions per token', rate: 'tokens per second' },
  help: {
    step: 'Tokens are samples: a pair that rotates by more than π radians from one token to the next seems slower than it is.',
    rate: 'Tokens read per second; all tone frequencies are proportional to it.',
  },
  unknown: (id: string) => `encoding: ${id} is unknown`,
  listen: 'Listen',
  stop: 'Stop',
  noAudio: 'This browser cannot play tones (Web Audio is not supported).',
  choices: 'Context extension',
  choice: {
    none: 'As trained',
    linear: 'Linear × 4',
    ntk_aware: 'NTK-aware × 4',
    yarn: 'YaRN × 4',
    step: '4 positions per token',
  },
  trained: 'as trained',
  tooSlow: 'too slow to hear',
  axis: 'rotations per second (Hz)',
  pair: 'pair',
  pairs: 'Tones of all pairs; arrow keys move to the next pair',
  tick: (value: number) => `${formatGroupedDecimal(value)} Hz`,
  tone: (pair: number, value: number, note: string | undefined) =>
    value === 0
      ? `Pair ${pair} does not rotate`
      : `Pair ${pair}: ${formatHertz(value)}${note === undefined ? ', too slow to hear' : `, ${note}`}`,
  asTrained: (value: number) => `; as trained ${formatHertz(value)}`,
  folded: (value: number) => ` (it rotates ${formatNumber(value)} times per second, but tokens are too far apart to show it)`,
  tooHigh: 'too high to hear',
  interval: ({ semitones, name }: Interval) =>
    `neighbouring pairs are ${formatNumber(semitones)} semitones apart${name === undefined ? '' : `: ${name}`}`,
  range: (audible: number, silent: number, lowest: number, highest: number, interval: string | undefined) =>
    `${
      audible === 0
        ? 'No pair can be heard'
        : `${formatCount(audible, 'tone')} from ${formatHertz(lowest)} to ${formatHertz(highest)}${silent === 0 ? '' : `; ${formatCount(silent, 'pair')} cannot be heard`}`
    }${interval === undefined ? '' : `; ${interval}`}`,
  playing: (range: string) => `Playing: ${range}`,
  stopped: 'Stopped',
  table: {
    inv_freq: 'Frequencies (rad per position)',
    hertz: 'Tones (Hz)',
  },
  columns: ['as trained', 'now'],
  value: 'value',
  proof: {
    quantity: 'largest difference between the cosine of a rotation and the cosine of its tone, at 33 tokens',
    toleranceSource: 'Float32 rounding in the largest angle.',
    passes: 'At every token, the tone of a pair matches the rotation computed by the core.',
    fails: 'The rotation is not a single tone: the first tokens rotate at a different speed.',
  },
} as const;
