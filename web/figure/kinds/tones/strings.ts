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
  unknownEncoding: (id: string) => `encoding: ${id} is unknown`,
  listen: 'Listen',
  stop: 'Stop',
  noAudio: 'This browser cannot play tones (Web Audio is not supported).',
  choicesLabel: 'Context extension',
  choices: {
    none: 'As trained',
    linear: 'Linear × 4',
    ntk_aware: 'NTK-aware × 4',
    yarn: 'YaRN × 4',
    step: '4 positions per token',
  },
  trainedLabel: 'as trained',
  tooSlow: 'too slow to hear',
  axisTitle: 'rotations per second (Hz)',
  pair: 'pair',
  pairsLabel: 'Tones of all pairs; arrow keys move to the next pair',
  tickLabel: (value: number) => `${formatGroupedDecimal(value)} Hz`,
  toneReadout: (pair: number, hertz: number, note: string | undefined) =>
    hertz === 0
      ? `Pair ${pair} does not rotate`
      : `Pair ${pair}: ${formatHertz(hertz)}${note === undefined ? ', too slow to hear' : `, ${note}`}`,
  trainedClause: (hertz: number) => `; as trained ${formatHertz(hertz)}`,
  aliasedClause: (hertz: number) => ` (it rotates ${formatNumber(hertz)} times per second, but tokens are too far apart to show it)`,
  tooHigh: 'too high to hear',
  intervalClause: ({ semitones, name }: Interval) =>
    `neighbouring pairs are ${formatNumber(semitones)} semitones apart${name === undefined ? '' : `: ${name}`}`,
  rangeReadout: (audibleCount: number, silentCount: number, minHertz: number, maxHertz: number, intervalText: string | undefined) =>
    `${
      audibleCount === 0
        ? 'No pair can be heard'
        : `${formatCount(audibleCount, 'tone')} from ${formatHertz(minHertz)} to ${formatHertz(maxHertz)}${silentCount === 0 ? '' : `; ${formatCount(silentCount, 'pair')} cannot be heard`}`
    }${intervalText === undefined ? '' : `; ${intervalText}`}`,
  playingAnnouncement: (tonesText: string) => `Playing: ${tonesText}`,
  stoppedAnnouncement: 'Stopped',
  tableTitles: {
    inv_freq: 'Frequencies (rad per position)',
    hertz: 'Tones (Hz)',
  },
  columnNames: ['as trained', 'now'],
  value: 'value',
  proof: {
    quantity: 'largest difference between the cosine of a rotation and the cosine of its tone, at 33 tokens',
    toleranceSource: 'Float32 rounding in the largest angle.',
    passes: 'At every token, the tone of a pair matches the rotation computed by the core.',
    fails: 'The rotation is not a single tone: the first tokens rotate at a different speed.',
  },
} as const;
