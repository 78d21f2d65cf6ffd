// Figures of one group share the cursor, and what the reader changes in one of them changes in all that have such a field.
import { type Signal, signal } from '@preact/signals-core';
import type { Cursor } from '../views/scene.ts';
import type { Given } from './spec.ts';

/** The fields that figures have in common. `params` of an encoding belong to it. */
export const SHARED: readonly string[] = ['text', 'order', 'encoding', 'mask', 'heads', 'head', 'projections', 'seed', 'offset', 'width'];

export interface LinkGroup {
  readonly cursor: Signal<Cursor>;
  /** What readers have changed, by field. */
  readonly changes: Signal<Given>;
}

export const linkGroup = (): LinkGroup => ({ cursor: signal<Cursor>({}), changes: signal<Given>({}) });
