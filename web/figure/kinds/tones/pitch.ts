// Names of notes and musical intervals.

/** Audible range in Hz. Most speakers and adult listeners do not exceed the upper limit. */
export const [MIN_AUDIBLE_HERTZ, MAX_AUDIBLE_HERTZ] = [20, 16_000];
export const isAudible = (hertz: number): boolean => hertz >= MIN_AUDIBLE_HERTZ && hertz <= MAX_AUDIBLE_HERTZ;

const NOTES = ['C', 'C♯', 'D', 'D♯', 'E', 'F', 'F♯', 'G', 'G♯', 'A', 'A♯', 'B'];
/** The frequency of A4 in Hz, and its distance from C0 in semitones. */
const [A4_HERTZ, A4_SEMITONES] = [440, 57];

/** Returns the nearest note in equal temperament, such as 'A4' for 440 Hz. */
export function findNearestNote(hertz: number): string {
  const semitones = A4_SEMITONES + Math.round(12 * Math.log2(hertz / A4_HERTZ));
  return `${NOTES[((semitones % 12) + 12) % 12]}${Math.floor(semitones / 12)}`;
}

const INTERVALS = [
  undefined,
  'a minor second',
  'a major second',
  'a minor third',
  'a major third',
  'a fourth',
  'a tritone',
  'a fifth',
  'a minor sixth',
  'a major sixth',
  'a minor seventh',
  'a major seventh',
  'an octave',
];
/** Maximum deviation from a named interval, semitones. */
const MAX_DETUNING_SEMITONES = 0.1;

export interface Interval {
  readonly semitones: number;
  /** The name, such as 'a fourth'. Undefined if the interval has no name. */
  readonly name: string | undefined;
}

/** Returns the interval between neighbouring tones if it is the same for all of them. */
export function findCommonInterval(hertz: ArrayLike<number>): Interval | undefined {
  const allSemitones = Array.from(
    { length: Math.max(0, hertz.length - 1) },
    (_, index) => 12 * Math.log2((hertz[index] ?? 0) / (hertz[index + 1] ?? 0)),
  );
  const [semitones = Number.NaN] = allSemitones;
  if (!allSemitones.every((other) => Math.abs(other - semitones) < 0.01)) return undefined;
  const nearestSemitone = Math.round(semitones);
  return { semitones, name: Math.abs(semitones - nearestSemitone) <= MAX_DETUNING_SEMITONES ? INTERVALS[nearestSemitone] : undefined };
}
