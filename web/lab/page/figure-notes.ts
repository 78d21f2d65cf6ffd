// <ph-notes>: notes about fields in a link that do not apply to the figure.
import { type ReadonlySignal, signal } from '@preact/signals-core';
import { html } from 'lit';
import { formatValue } from '../../figure/contract/fields.ts';
import type { PhasorFigure } from '../../figure/element/element.ts';
import type { Figure } from '../../figure/runtime/controller.ts';
import { LabElement } from '../element.ts';
import type { FigureFields } from '../state/state.ts';
import { state } from '../state/store.ts';
import { NOTE_STRINGS as STRINGS } from '../strings.ts';

interface ShownFigure {
  readonly kind: { readonly id: string; readonly fields: object };
  readonly dim?: unknown;
  readonly results?: unknown;
}

/** Returns a sentence for each field of a link that the figure does not have or shows with another value. */
export function listNotes({ kind, dim, results }: ShownFigure, figures: FigureFields): string[] {
  const names = Object.keys(figures).filter((name) => name.startsWith(`${kind.id}.`));
  const unknownFields = names.filter((name) => !Object.hasOwn(kind.fields, name.slice(kind.id.length + 1)));
  const requestedPair = figures['rotation.pair'];
  const { channels = [] } = (kind.id === 'rotation' && results ? results : {}) as { readonly channels?: readonly unknown[] };
  // Heads may have different numbers of pairs, so a pair is only reported if no head has it.
  const isPairMissing = requestedPair !== undefined && channels.length > 0 && Number(requestedPair) >= channels.length;
  const requestedDim = figures[`${kind.id}.dim`];
  const hasOtherDim = requestedDim !== undefined && typeof dim === 'number' && Number(requestedDim) !== dim;
  return [
    ...unknownFields.map((name) => STRINGS.unknownField(formatValue(name))),
    ...(isPairMissing ? [STRINGS.missingPair(formatValue(requestedPair), channels.length - 1)] : []),
    ...(hasOtherDim ? [STRINGS.otherDim(kind.id, formatValue(requestedDim), dim)] : []),
  ];
}

export class FigureNotes extends LabElement {
  private readonly liveFigure = signal<ReadonlySignal<Figure | undefined> | undefined>(undefined);

  protected override render() {
    const figure = this.liveFigure.value?.value;
    const result = figure?.computed.value;
    const notes = figure ? listNotes({ kind: figure.kind, dim: result?.spec.dim, results: result?.results }, state.value.figures) : [];
    return notes.map((note) => html`<p class="problem" role="alert">${note}</p>`);
  }

  /** The figure is created after this element, in the same section. */
  protected override updated(): void {
    this.liveFigure.value ??= this.parentElement?.querySelector<PhasorFigure>('phasor-figure')?.live;
  }
}
