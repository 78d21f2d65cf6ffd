// Clocks for one position: the phases of a sinusoidal table, or the angles by which RoPE rotates.
import { clocks } from '../../views/clocks.ts';
import type { Waves } from '../addition.ts';
import type { Figure } from '../compute.ts';
import type { Frame, PlaceCursor } from './place-cursor.ts';

/** The waves of a figure's encoding, if it has any. */
export const wavesOf = ({ addition }: Figure): Waves | undefined => ('waves' in addition ? addition.waves : undefined);

/** The wave that a dimension belongs to. */
export function waveAt({ columns }: Waves, dimension: number | undefined): number | undefined {
  const wave = columns.findIndex((own) => dimension !== undefined && own.includes(dimension));
  return wave < 0 ? undefined : wave;
}

export function clocksPicture(figure: Figure, cursor: PlaceCursor, { width, maxHeight }: Frame): ReturnType<typeof clocks> | undefined {
  const waves = wavesOf(figure);
  if (!waves || waves.frequencies.length === 0) return undefined;
  const place = cursor.key ?? cursor.query;
  const position = figure.setting.offset + place;
  return clocks({
    width,
    maxHeight,
    frequencies: waves.frequencies,
    position,
    angles: waves.angles.subarray(place * waves.frequencies.length, (place + 1) * waves.frequencies.length),
    title: `Clocks of ${figure.words[figure.order[place] as number]} at position ${position}`,
    cursor: waveAt(waves, cursor.dimension),
  });
}
