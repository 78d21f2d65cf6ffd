// Random dumps of queries before and after a rotation: correct, with one of eleven faults, or foreign. Frequencies, angles and rotations are computed
// here in double and share no code with the doctor or the core.
import type { DiagnoseRequest } from '../../../web/engine/doctor/requests.ts';

export type Format = 'f32' | 'f16' | 'bf16';

export interface RandomDump {
  readonly request: DiagnoseRequest;
  readonly format: Format;
  /** `none` in a correct dump. */
  readonly fault: string;
  /** Expected parameters of the report. */
  readonly params: { readonly [name: string]: number | string };
  readonly about: string;
}

/** Returns a generator of numbers from 0 to 1 (mulberry32). */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let hash = Math.imul(state ^ (state >>> 15), state | 1);
    hash ^= hash + Math.imul(hash ^ (hash >>> 7), hash | 61);
    return ((hash ^ (hash >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Rounds to `bits` significant binary digits, ties to even. */
function roundTo(bits: number, value: number): number {
  if (value === 0) return 0;
  const step = 2 ** (Math.floor(Math.log2(Math.abs(value))) - bits + 1);
  const quotient = value / step;
  const low = Math.floor(quotient);
  const remainder = quotient - low;
  return step * (remainder > 0.5 || (remainder === 0.5 && low % 2 !== 0) ? low + 1 : low);
}
const ROUND: Readonly<Record<Format, (value: number) => number>> = {
  f32: Math.fround,
  // float16 has a fixed step below 2^-14.
  f16: (value) => (Math.abs(value) < 2 ** -14 ? Math.round(value * 2 ** 24) / 2 ** 24 : roundTo(11, value)),
  bf16: (value) => roundTo(8, value),
};

export const FAULTS = [
  'wrong_pairing',
  'reversed_direction',
  'wrong_base',
  'scaling_missing',
  'scaling_unclaimed',
  'wrong_rotary_width',
  'position_offset',
  'positions_restart',
  'rotated_twice',
  'not_rotated',
  'wrong_attention_factor',
] as const;

interface Rotation {
  layout: 'half_split' | 'interleaved';
  base: number;
  width: number;
  factor: number;
  gain: number;
  sign: number;
}

function drawSettings(random: () => number) {
  const pick = <Item>(list: readonly Item[]) => list[Math.floor(random() * list.length)] as Item;
  const tokens = 8 + Math.floor(random() * 57);
  const dim = pick([32, 64, 128]);
  const hasLargePositions = random() < 0.4;
  const start = hasLargePositions ? 0 : Math.floor(random() * random() * 20000);
  const positions = Array.from({ length: tokens }, (_, token) =>
    hasLargePositions ? (token < tokens / 2 ? token : Math.round(tokens * (20000 / tokens) ** (token / tokens))) : start + token,
  );
  const base = pick([10000, 500000, 1e6, 150000, Math.round(10 ** (4 + 3 * random()))]);
  return { pick, tokens, dim, positions, base, heads: 1 + Math.floor(random() * 4), format: pick(['f32', 'f16', 'bf16'] as const) };
}

/** Returns a random dump: without a fault, with one fault, or foreign, which no rotation of the doctor explains. */
export function randomDump(kind: 'correct' | 'faulty' | 'foreign', random: () => number): RandomDump {
  const { pick, tokens, dim, positions, base, heads, format } = drawSettings(random);
  const round = ROUND[format];
  const gaussian = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const width = random() < 0.3 ? dim / 2 : dim;
  const linear = random() < 0.3 ? pick([2, 4, 8]) : 1;
  const claim: Rotation = { layout: pick(['half_split', 'interleaved'] as const), base, width, factor: linear, gain: 1, sign: 1 };
  const fault = kind === 'faulty' ? pick(FAULTS) : 'none';
  const actual: Rotation = { ...claim };
  let actualPositions = [...positions];
  const params: { [name: string]: number | string } = {};
  switch (fault) {
    case 'wrong_pairing':
      actual.layout = claim.layout === 'half_split' ? 'interleaved' : 'half_split';
      params.found = actual.layout;
      break;
    case 'reversed_direction':
      actual.sign = -1;
      break;
    case 'wrong_base':
      actual.base = base * pick([0.01, 0.1, 0.5, 2, 10, 37]);
      params.found = actual.base;
      break;
    case 'scaling_missing':
      claim.factor = pick([2, 4, 8]);
      actual.factor = 1;
      params.factor = claim.factor;
      break;
    case 'scaling_unclaimed':
      claim.factor = 1;
      actual.factor = pick([2, 3, 4, 8]);
      params.factor = actual.factor;
      break;
    case 'wrong_rotary_width':
      actual.width = width === dim ? dim / 2 : dim;
      params.found = actual.width;
      break;
    case 'position_offset':
      params.offset = pick([1, -1, 5, 64, 1000]);
      actualPositions = actualPositions.map((position) => position + (params.offset as number));
      break;
    case 'positions_restart': {
      const first = 4 + Math.floor(random() * (tokens - 6));
      actualPositions = actualPositions.map((position, token) => (token < first ? position : position - (positions[first] as number)));
      params.at = first;
      break;
    }
    case 'rotated_twice':
      actual.sign = 2;
      break;
    case 'not_rotated':
      actual.sign = 0;
      break;
    case 'wrong_attention_factor':
      actual.gain = 1 + 0.1 * Math.log(pick([4, 16, 32]));
      params.found = actual.gain;
      break;
    default:
  }
  const foreignKind = kind === 'foreign' ? pick(['unrelated', 'noisy', 'frequencies'] as const) : undefined;
  const before = new Float32Array(tokens * heads * dim).map(() => round(gaussian()));
  const frequencies = Array.from({ length: actual.width / 2 }, (_, t) =>
    foreignKind === 'frequencies' ? 10 ** (-4 * random()) : actual.base ** ((-2 * t) / actual.width) / actual.factor,
  );
  const after = applyRotation(before, { tokens, heads, dim, positions: actualPositions, frequencies, ...actual }, format);
  if (foreignKind === 'unrelated') after.set(after.map(() => round(gaussian())));
  if (foreignKind === 'noisy') after.set(after.map((value) => round(value + 0.05 * gaussian())));
  const scaling = claim.factor > 1 ? { scaling: 'linear', factor: claim.factor } : {};
  const encoding = { id: 'rope', layout: claim.layout, base: claim.base, ...(width < dim ? { rotary_dim: width } : {}), ...scaling };
  const shape = [tokens, heads, dim];
  return {
    request: { before: { shape, data: before }, after: { shape, data: after }, axes: 'tokens,heads,dim', positions, claim: encoding },
    format,
    fault: foreignKind ?? fault,
    params,
    about: JSON.stringify({
      fault: foreignKind ?? fault,
      params,
      encoding,
      tokens,
      heads,
      dim,
      format,
      positions: positions.slice(0, 3),
      last: positions.at(-1),
    }),
  };
}

export interface Geometry extends Rotation {
  readonly tokens: number;
  readonly heads: number;
  readonly dim: number;
  readonly positions: readonly number[];
  readonly frequencies: readonly number[];
}

/** A reference rotation in double that rounds like transformers: frequencies and angles to float32, cosine, sine, products and sums to the format. */
export function applyRotation(
  before: Float32Array,
  { tokens, heads, dim, positions, frequencies, layout, gain, sign }: Geometry,
  format: Format,
): Float32Array {
  const round = ROUND[format];
  const after = Float32Array.from(before);
  for (let token = 0; token < tokens; token++)
    frequencies.forEach((frequency, t) => {
      const angle = Math.fround(sign * (positions[token] as number) * Math.fround(frequency));
      const [cosine, sine] = [round(gain * Math.cos(angle)), round(gain * Math.sin(angle))];
      const [a, b] = layout === 'interleaved' ? [2 * t, 2 * t + 1] : [t, t + frequencies.length];
      for (let head = 0; head < heads; head++) {
        const from = (token * heads + head) * dim;
        const [x, y] = [before[from + a] as number, before[from + b] as number];
        after[from + a] = round(round(x * cosine) - round(y * sine));
        after[from + b] = round(round(y * cosine) + round(x * sine));
      }
    });
  return after;
}
