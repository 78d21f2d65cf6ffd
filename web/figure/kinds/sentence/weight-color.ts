// The colours of attention weights: the ground is no attention, and away from the ground is more, in both themes.
import type { Theme } from '../../../charts/picture.ts';

/** Their lightness falls, or in the dark rises, without a turn, also for readers who do not tell red from green. */
const STOPS: { readonly [T in Theme]: readonly number[] } = {
  light: [0xf9f5ed, 0xf7e4bd, 0xf4ce81, 0xcbbc63, 0x7faf74, 0x349280, 0x076d76, 0x0d4760, 0x0d233e],
  dark: [0x151a20, 0x143141, 0x054e59, 0x076f6f, 0x2b907d, 0x68ac77, 0xb9bf64, 0xf0cf76, 0xfcf0cb],
};

/** The weight of the last colour: one word seldom gets more, and smaller weights are told apart better. */
const FULL = 0.7;

const SHIFTS = [16, 8, 0] as const;
const hex = (byte: number): string => Math.round(byte).toString(16).padStart(2, '0');

export interface WeightColor {
  /** As '#rrggbb'. */
  readonly fill: string;
  /** Of words on it: the contrast is 4.5 or more. */
  readonly ink: string;
}

/** The colour of a weight from 0 to 1; that of 0 where it is not finite. */
export function weightColor(weight: number, theme: Theme): WeightColor {
  const stops = STOPS[theme];
  const t = (Number.isFinite(weight) ? Math.min(1, Math.max(0, weight / FULL)) : 0) * (stops.length - 1);
  const first = Math.min(stops.length - 2, Math.floor(t));
  const bytes = SHIFTS.map((shift) => {
    const [a, b] = [stops[first], stops[first + 1]].map((stop) => ((stop as number) >> shift) & 255) as [number, number];
    return a + (b - a) * (t - first);
  }) as [number, number, number];
  const [red, green, blue] = bytes.map((byte) => (byte / 255) ** 2.2) as [number, number, number];
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  const ink = luminance > 0.27 ? '#1f2328' : luminance > 0.179 ? '#000000' : luminance > 0.13 ? '#ffffff' : '#f4f1ea';
  return { fill: `#${bytes.map(hex).join('')}`, ink };
}
