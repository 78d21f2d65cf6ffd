import { sinusoids } from '../engine/analysis.ts';
import type { CALL } from '../engine/call/call-key.ts';
import { PhasorError } from '../engine/errors.ts';
import type { EncodingSpec, RemotePhasor, Sinusoids } from '../engine/index.ts';

/**
 * Finds the sinusoids in the table of an encoding. Returns undefined if the table has no sinusoids, and rejects if the encoding has no
 * table.
 */
export async function findSinusoids(
  { encoding, dim }: { readonly encoding: EncodingSpec; readonly dim: number },
  phasor: Pick<RemotePhasor, 'encodings' | typeof CALL>,
): Promise<Sinusoids | undefined> {
  try {
    return await sinusoids(phasor, { encoding, dim });
  } catch (thrown) {
    // The core rejects encodings without sinusoids. This is not an error if the encoding has a table.
    const id = typeof encoding === 'string' ? encoding : encoding.id;
    const hasTable = phasor.encodings.find((info) => info.id === id)?.injection === 'input';
    if (hasTable && PhasorError.from(thrown).argument === 'encoding') return undefined;
    throw thrown;
  }
}
