// Helpers for figures of rotary positions, computed by the real engine.
import type { FigureKind } from '../../../web/figure/contract/kind.ts';
import type { RawFields } from '../../../web/figure/contract/spec.ts';
import { figureOf } from './sentence-means.ts';

export { context, figureOf, phasor } from './sentence-means.ts';

export const FRAME = { width: 720, theme: 'light' } as const;

/** The error message of a rejected figure, or 'accepted'. */
export const refusal = (kind: FigureKind<never, never>, fields: RawFields): Promise<string> =>
  figureOf(kind as unknown as FigureKind, fields).then(
    () => 'accepted',
    (thrown: Error) => thrown.message,
  );

export const textsOf = (marks: readonly { readonly kind: string; readonly text?: string }[]): string[] =>
  marks.flatMap((mark) => (mark.kind === 'text' && mark.text !== undefined ? [mark.text] : []));
