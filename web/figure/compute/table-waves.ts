import { period } from '../../charts/clocks/clocks.ts';
import { entryAt } from '../../charts/entry-at.ts';
import { findSinusoids } from '../../sentence/waves-in.ts';
import type { EncodingSpec } from '../contract/fields.ts';
import type { Engine } from '../contract/kind.ts';
import { SpecError } from '../contract/spec.ts';
import { SINUSOID_STRINGS } from './table-rows-strings.ts';

export interface TableWaves {
  /** The channels of each sinusoid's sine and cosine; -1 for a cosine that the table omits. */
  readonly channels: readonly (readonly [sine: number, cosine: number])[];
  /** The wavelength of each sinusoid, in positions; Infinity for a sinusoid with frequency 0. */
  readonly wavelengths: readonly number[];
}

/** Finds the sinusoids of a table. Returns undefined if the table has none. */
export async function findWaves(encoding: EncodingSpec, dim: number, engine: Engine): Promise<TableWaves | undefined> {
  const waves = await findSinusoids({ encoding, dim }, engine);
  return (
    waves && {
      channels: Array.from(waves.sine.data, (channel, wave) => [channel, entryAt(waves.cosine.data, wave)] as const),
      wavelengths: Array.from(waves.frequency.data, period),
    }
  );
}

export function findWavelength(waves: TableWaves | undefined, channel: number): number | undefined {
  const wave = waves?.channels.findIndex((pair) => pair.includes(channel)) ?? -1;
  return wave < 0 ? undefined : waves?.wavelengths[wave];
}

/** Selects the sinusoids with both a sine and a cosine, which can be drawn as clock hands. Rejects with a SpecError if there are none. */
export async function selectPairedSinusoids(
  { encoding, dim }: { readonly encoding: EncodingSpec; readonly dim: number },
  engine: Engine,
): Promise<TableWaves> {
  const waves = await findWaves(encoding, dim, engine);
  if (!waves) throw new SpecError('encoding', SINUSOID_STRINGS.noPairs(encoding.id));
  const pairedIndices = waves.channels.map((_, wave) => wave).filter((wave) => (waves.channels[wave] as readonly [number, number])[1] >= 0);
  if (pairedIndices.length === 0)
    throw dim > 1 ? new SpecError('encoding', SINUSOID_STRINGS.noPairs(encoding.id)) : new SpecError('dim', SINUSOID_STRINGS.noRoom(dim));
  return {
    channels: pairedIndices.map((wave) => waves.channels[wave] as readonly [number, number]),
    wavelengths: pairedIndices.map((wave) => entryAt(waves.wavelengths, wave)),
  };
}

export const splitChannels = ({ channels }: TableWaves): { readonly sine: number[]; readonly cosine: number[] } => ({
  sine: channels.map(([sine]) => sine),
  cosine: channels.map(([, cosine]) => cosine),
});
