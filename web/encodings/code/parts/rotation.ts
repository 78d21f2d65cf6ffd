// The function that turns pairs of channels by their angles; `angles(positions, width)` is before it.
import { lines } from './program.ts';

export interface Rotation {
  /** Neighbouring channels, or one from each half. */
  readonly layout: 'interleaved' | 'half_split';
  readonly doc: string;
  /** How many channels are rotated, as an expression in `width`; default: all. */
  readonly rotaryWidth?: string | undefined;
  /** How many channels are before those that rotate; default: none. */
  readonly offset?: number;
  /** The angles, default: angles(positions, width). */
  readonly angles?: string;
  /** Lines that define a factor on cosines and sines, and its name. */
  readonly gain?: { readonly lines: readonly string[]; readonly name: string } | undefined;
}

export function rotation({ layout, doc, rotaryWidth, offset = 0, angles = 'angles(positions, width)', gain }: Rotation): string {
  const all = rotaryWidth === undefined;
  const from = all ? 'x' : 'x[..., :rotary_width]';
  const [first, second] =
    layout === 'interleaved'
      ? [`${from}[..., 0::2]`, `${from}[..., 1::2]`]
      : all
        ? ['x[..., : width // 2]', 'x[..., width // 2 :]']
        : ['x[..., : rotary_width // 2]', 'x[..., rotary_width // 2 : rotary_width]'];
  const pair = '[a * cosine - b * sine, a * sine + b * cosine]';
  const pairs =
    layout === 'interleaved'
      ? `np.stack(${pair}, axis=-1).reshape(*x.shape[:-1], -1)`
      : all
        ? `np.concatenate(${pair}, axis=-1)`
        : `np.concatenate([a * cosine - b * sine, a * sine + b * cosine, x[..., rotary_width:]], axis=-1)`;
  const factor = gain ? `${gain.name} * ` : '';
  return lines(
    "def rotate(x, positions, role='query'):",
    `    """${doc}"""`,
    offset > 0 && `    content, x = x[..., :${offset}], x[..., ${offset}:]`,
    '    width = x.shape[-1]',
    !all && `    rotary_width = ${rotaryWidth}`,
    `    phases = ${angles}`,
    ...(gain?.lines ?? []),
    `    cosine, sine = ${factor}np.cos(phases), ${factor}np.sin(phases)`,
    `    a, b = ${first}, ${second}`,
    `    rotated = ${pairs}`,
    !all && layout === 'interleaved' && '    rotated = np.concatenate([rotated, x[..., rotary_width:]], axis=-1)',
    offset > 0 && '    rotated = np.concatenate([content, rotated], axis=-1)',
    '    return rotated.astype(x.dtype)',
  );
}
