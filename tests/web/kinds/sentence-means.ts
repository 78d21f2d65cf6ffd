// The context of sentence figures in tests: the real engine and the bundled word vectors.
import { createPhasor } from '../../../web/engine/node.ts';
import type { RemotePhasor } from '../../../web/engine/types/api.ts';
import type { FieldTable, SpecOf } from '../../../web/figure/contract/fields.ts';
import type { FigureKind, KindContext } from '../../../web/figure/contract/kind.ts';
import { type RawFields, readSpec } from '../../../web/figure/contract/spec.ts';
import { WordVectors } from '../../../web/sentence/word-vectors.ts';
import { photographs } from './photographs.ts';

export const phasor = await createPhasor({ wasm: 'build/wasm/phasor.wasm', variant: 'simd' });
// Kinds await every result, so the synchronous engine can replace the remote one.
export const context: KindContext = { engine: phasor as unknown as RemotePhasor, vocabulary: new WordVectors(), photographs };

export const FRAME = { width: 600, theme: 'light' } as const;

export async function figureOf<Fields extends FieldTable, Results>(
  kind: FigureKind<Fields, Results>,
  fields: RawFields = {},
): Promise<{ readonly spec: SpecOf<Fields>; readonly results: Results }> {
  const spec = readSpec(kind, fields);
  return { spec, results: await kind.compute(spec, context) };
}
