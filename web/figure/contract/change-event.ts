// Creates the events that a figure dispatches: `phasor-change` after the user changes a field, and `phasor-ready` after results are drawn.
import type { Figure } from '../runtime/controller.ts';
import type { FigureSpec } from './element-types.ts';
import { printSpec, SpecError } from './spec.ts';

export function createChangeEvent(figure: Figure, field: string, specWithDefaults: FigureSpec): CustomEvent {
  const spec = figure.spec.peek();
  const detail = { field, spec: specWithDefaults, ...(spec instanceof SpecError ? {} : { text: printSpec(figure.kind, spec) }) };
  return new CustomEvent('phasor-change', { bubbles: true, composed: true, detail });
}

export const createReadyEvent = (): CustomEvent<undefined> => new CustomEvent('phasor-ready', { bubbles: true, composed: true });
