// Creates the events of a figure. `phasor-change` is dispatched after the reader has changed a field.
import type { Figure } from '../runtime/controller.ts';
import type { FigureSpec } from './element-types.ts';
import { printSpec, SpecError } from './spec.ts';

export function createChangeEvent(figure: Figure, field: string, specWithDefaults: FigureSpec): CustomEvent {
  const spec = figure.spec.peek();
  const detail = { field, spec: specWithDefaults, ...(spec instanceof SpecError ? {} : { text: printSpec(figure.kind, spec) }) };
  return new CustomEvent('phasor-change', { bubbles: true, composed: true, detail });
}

/** `phasor-ready` is dispatched after the picture of a figure shows new numbers. */
export const createReadyEvent = (): CustomEvent<undefined> => new CustomEvent('phasor-ready', { bubbles: true, composed: true });
