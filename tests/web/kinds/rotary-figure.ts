// Figures of rotary positions, computed by the real engine.
import { createPhasor } from '../../../web/engine/node.ts';
import type { RemotePhasor } from '../../../web/engine/types.ts';
import type { FieldTable, SpecOf } from '../../../web/figure/fields.ts';
import type { FigureKind, Means } from '../../../web/figure/kind.ts';
import { type Given, readSpec } from '../../../web/figure/spec.ts';

export const phasor = await createPhasor({ wasm: 'build/wasm/phasor-simd.wasm', variant: 'simd' });

// Awaiting an answer that is there already makes no difference; no word is needed.
export const means = { engine: phasor as unknown as RemotePhasor } as unknown as Means;

export const FRAME = { width: 720, theme: 'light' } as const;

export async function figureOf<Fields extends FieldTable, Numbers>(
  kind: FigureKind<Fields, Numbers>,
  given: Given = {},
): Promise<{ readonly spec: SpecOf<Fields>; readonly numbers: Numbers }> {
  const spec = readSpec(kind, given);
  return { spec, numbers: await kind.compute(spec, means) };
}

/** Why there is no figure. */
export const refusal = (kind: FigureKind<never, never>, given: Given): Promise<string> =>
  figureOf(kind as unknown as FigureKind, given).then(
    () => 'accepted',
    (thrown: Error) => thrown.message,
  );

/** What a picture says. */
export const textsOf = (marks: readonly { readonly kind: string; readonly text?: string }[]): string[] =>
  marks.flatMap((mark) => (mark.kind === 'text' && mark.text !== undefined ? [mark.text] : []));
