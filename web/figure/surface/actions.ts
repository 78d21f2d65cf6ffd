// Renders the actions below a picture: buttons, and a hint about values that can be dragged.
import { html, nothing, type TemplateResult } from 'lit';
import type { Action, DetailFigure } from '../contract/kind.ts';
import type { RawFields } from '../contract/spec.ts';
import type { Computed, Figure } from '../runtime/controller.ts';

export const filterUnlockedActions = (actions: readonly Action[], lockedFields: readonly string[]): readonly Action[] =>
  actions.filter((action) => !Object.keys(action.fields({})).some((name) => lockedFields.includes(name)));

export function listActions(
  { kind, valuesBeforeChange }: Figure,
  { results, spec }: Computed,
  lockedFields: readonly string[],
): readonly Action[] {
  return filterUnlockedActions(kind.actions?.(results, spec, valuesBeforeChange) ?? [], lockedFields);
}

/**
 * Renders a button that opens another figure on this page, or a link to that figure's page. Renders no link while the user's own language
 * model is open, because the other page would not have it.
 */
function renderOpenedKind({ openKind, languageModels }: Figure, openedKind: DetailFigure): TemplateResult | typeof nothing {
  const { kind, label, fields } = openedKind;
  if (openKind) return html`<button type="button" @click=${() => openKind(openedKind)}>${label}</button>`;
  const { root } = document.documentElement.dataset;
  if (root === undefined || languageModels?.status.peek().openedModel) return nothing;
  return html`<a href=${new URL(`${root}gallery/${kind}/?${new URLSearchParams(fields)}`, document.baseURI).href}>${label}</a>`;
}

/**
 * Renders the actions below a figure.
 * @param contentBefore placed before the buttons
 * @param changeFields sets fields on behalf of the user
 */
export function renderActions(
  figure: Figure,
  result: Computed,
  lockedFields: readonly string[],
  contentBefore: TemplateResult | typeof nothing,
  changeFields: (fields: RawFields) => void,
): TemplateResult | typeof nothing {
  const { dragging, detailFigure } = figure.kind;
  const actions = listActions(figure, result, lockedFields);
  const hint = dragging && !lockedFields.includes(dragging.field) ? dragging.hint(result.results, result.spec) : undefined;
  const link = detailFigure ? renderOpenedKind(figure, detailFigure(result.results, result.spec)) : nothing;
  if (actions.length === 0 && hint === undefined && contentBefore === nothing && link === nothing) return nothing;
  const buttons = actions.map(({ label, keys: [key] = [], disabled = false, fields }) => {
    const onClick = (): void => changeFields(fields(figure.cursor.peek()));
    return html`<button type="button" ?disabled=${disabled} @click=${onClick}>${label}${key ? html` <kbd>${key}</kbd>` : nothing}</button>`;
  });
  return html`<div class="actions" part="below">${contentBefore}${hint ? html`<span class="hint">${hint}</span>` : nothing}${buttons}${link}</div>`;
}
