// The waves of a table, as the core knows them.

import { PhasorError } from '../engine/errors.ts';
import type { EncodingChoice, RemotePhasor, Waves } from '../engine/index.ts';

/** Undefined for a table that is not made of waves. */
export async function wavesIn(
  { encoding, width }: { readonly encoding: EncodingChoice; readonly width: number },
  phasor: Pick<RemotePhasor, 'waves'>,
): Promise<Waves | undefined> {
  try {
    return await phasor.waves({ encoding, width });
  } catch (thrown) {
    // Everything else is checked when the table is computed.
    if (PhasorError.from(thrown).message.includes('is not made of waves')) return undefined;
    throw thrown;
  }
}
