// Finds the sinusoids of a table with the core.

import { sinusoids } from '../engine/analysis.ts';
import type { CALL } from '../engine/call/call-key.ts';
import { PhasorError } from '../engine/errors.ts';
import type { EncodingSpec, RemotePhasor, Sinusoids } from '../engine/index.ts';

/**
 * Finds the sinusoids in the table of an encoding. Returns undefined for a table without sinusoids, and rejects an encoding without a
 * table.
 */
export async function findSinusoids(
  { encoding, dim }: { readonly encoding: EncodingSpec; readonly dim: number },
  phasor: Pick<RemotePhasor, 'encodings' | typeof CALL>,
): Promise<Sinusoids | undefined> {
  try {
    return await sinusoids(phasor, { encoding, dim });
  } catch (thrown) {
    // The core rejects an encoding without sinusoids. If it has a table, this is not an error.
    const id = typeof encoding === 'string' ? encoding : encoding.id;
    const hasTable = phasor.encodings.find((info) => info.id === id)?.injection === 'input';
    if (hasTable && PhasorError.from(thrown).argument === 'encoding') return undefined;
    throw thrown;
  }
}
