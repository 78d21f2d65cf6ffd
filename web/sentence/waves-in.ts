// The waves of a table, as the core knows them.

import { PhasorError } from '../engine/errors.ts';
import type { EncodingChoice, RemotePhasor, Waves } from '../engine/index.ts';

/** Undefined for a table that is not made of waves. */
export async function wavesIn(
  { encoding, width }: { readonly encoding: EncodingChoice; readonly width: number },
  phasor: Pick<RemotePhasor, 'encodings' | 'waves'>,
): Promise<Waves | undefined> {
  try {
    return await phasor.waves({ encoding, width });
  } catch (thrown) {
    // Of an encoding that has a table: everything else is checked when that is computed.
    const id = typeof encoding === 'string' ? encoding : encoding.id;
    const hasTable = phasor.encodings.find((one) => one.id === id)?.injection === 'input';
    if (hasTable && PhasorError.from(thrown).path === 'encoding') return undefined;
    throw thrown;
  }
}
