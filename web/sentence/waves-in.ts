// The sinusoids of a table, from the core.

import { PhasorError } from '../engine/errors.ts';
import type { EncodingSpec, RemotePhasor, Sinusoids } from '../engine/index.ts';

/** Undefined for a table without sinusoids. */
export async function wavesIn(
  { encoding, dim }: { readonly encoding: EncodingSpec; readonly dim: number },
  phasor: Pick<RemotePhasor, 'encodings' | 'sinusoids'>,
): Promise<Sinusoids | undefined> {
  try {
    return await phasor.sinusoids({ encoding, dim: dim });
  } catch (thrown) {
    // Of an encoding with a table: everything else is checked when that is computed.
    const id = typeof encoding === 'string' ? encoding : encoding.id;
    const hasTable = phasor.encodings.find((one) => one.id === id)?.injection === 'input';
    if (hasTable && PhasorError.from(thrown).argument === 'encoding') return undefined;
    throw thrown;
  }
}
