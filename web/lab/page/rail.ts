// <ph-rail>: the list of encodings, grouped by injection point.

import { signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { formatId } from '../../charts/english.ts';
import type { EncodingInfo, Injection, Params } from '../../engine/index.ts';
import { getParamValue, isUsed } from '../../figure/contract/parameters.ts';
import { areDescriptionsSettled, findDescription, getEncodingTitle } from '../descriptions.ts';
import { LabElement } from '../element.ts';
import type { LabState } from '../state/state.ts';
import { encoding, encodingId, state } from '../state/store.ts';
import { TOOL_STRINGS as STRINGS } from '../strings.ts';
import { chooseEncoding, groupEncodings } from './choose-encoding.ts';
import { renderErrorAt, renderLatestError } from './error-message.ts';
import { currentStep, isPresenting } from './present.ts';

interface EncodingGroup {
  readonly name: string;
  readonly members: readonly EncodingInfo[];
}

/** Renders the bar above a presentation: a select for the encoding, its parameters, and the lecture step. */
function renderPresentedLine(selectedId: string, summary: string, groups: readonly EncodingGroup[]): TemplateResult {
  const step = currentStep.value;
  const renderOption = ({ id }: EncodingInfo) => html`<option value=${id} ?selected=${id === selectedId}>${getEncodingTitle(id)}</option>`;
  const onChange = (event: Event): void => {
    const selectElement = event.target as HTMLSelectElement;
    chooseEncoding(selectElement.value);
    // Without the focus, the arrow keys move through the lecture again.
    selectElement.blur();
  };
  return html`<div class="presented">
    <select class="presented-encoding" aria-label=${STRINGS.encodingLabel} .value=${selectedId} @change=${onChange}>
      ${groups.map(({ name, members }) => html`<optgroup label=${name}>${members.map(renderOption)}</optgroup>`)}
    </select>
    <span class="muted">${summary}</span>
    ${step ? html`<span class="presented-step" role="status" aria-label=${STRINGS.stepLabel(step.stepNumber, step.stepCount)}>${STRINGS.stepCounter(step.stepNumber, step.stepCount)}</span>` : nothing}
  </div>`;
}

/**
 * Summarizes an encoding's main and changed parameters, the causal mask and the number of heads, for example 'base 10000 · interleaved ·
 * causal mask · 4 heads'.
 */
function describeEncoding(
  encoding: EncodingInfo,
  { params, mask, heads }: Pick<LabState, 'params' | 'mask' | 'heads'>,
  mainParams: readonly string[],
): string {
  return [
    ...describeParams(encoding, params, mainParams),
    ...(mask === 'causal' ? ['causal mask'] : []),
    `${heads} ${heads === 1 ? 'head' : 'heads'}`,
  ].join(' · ');
}

function describeParams(encoding: EncodingInfo, params: Params, mainParams: readonly string[]): string[] {
  return encoding.params
    .filter(
      (param) =>
        isUsed(param, encoding, params) && param.kind !== 'tensor' && (mainParams.includes(param.name) || params[param.name] !== undefined),
    )
    .map((param) => {
      const value = getParamValue(params, param);
      if (typeof value === 'boolean') return value ? formatId(param.name) : `not ${formatId(param.name)}`;
      if (value === 'none') return `no ${formatId(param.name)}`;
      return param.kind === 'choice' ? formatId(String(value)) : `${formatId(param.name)} ${value}`;
    });
}

const isWellKnown = ({ id }: EncodingInfo): boolean => findDescription(id)?.wellKnown ?? true;

export class Rail extends LabElement {
  /** The expanded groups. */
  private readonly openGroups = signal<ReadonlySet<Injection>>(new Set());
  private scrolledEncodingId = '';

  protected override render() {
    const selectedEncoding = encoding.value;
    // Waits for the descriptions, which determine the encodings listed in a collapsed group.
    const groups = areDescriptionsSettled.value ? groupEncodings() : [];
    const summary =
      selectedEncoding &&
      describeEncoding(
        selectedEncoding,
        state.value,
        findDescription(selectedEncoding.id)?.mainParams ?? selectedEncoding.params.slice(0, 2).map(({ name }) => name),
      );
    if (isPresenting.value && selectedEncoding)
      return html`${renderPresentedLine(selectedEncoding.id, summary ?? '', groups)}${renderLatestError()}`;
    return html`
      <div class="rail">
        <div class="groups" role="radiogroup" aria-label="Positional encoding">
          ${groups.map(({ injection, name, members }) => this.renderGroup(injection, name, members))}
        </div>
      </div>
      ${renderErrorAt('encoding')}`;
  }

  /** Scrolls the selected encoding into view. On a phone, all encodings are in one horizontal row. */
  protected override updated(): void {
    const id = encodingId.peek();
    const checkedChoice = this.querySelector<HTMLElement>('.choice:has(:checked)');
    if (!checkedChoice || this.scrolledEncodingId === id) return;
    this.scrolledEncodingId = id;
    const groupRow = checkedChoice.closest('.groups') as HTMLElement;
    const { left, right } = checkedChoice.getBoundingClientRect();
    const rowBounds = groupRow.getBoundingClientRect();
    if (left < rowBounds.left || right > rowBounds.right) groupRow.scrollLeft += (left + right - rowBounds.left - rowBounds.right) / 2;
  }

  private renderGroup(injection: Injection, name: string, members: readonly EncodingInfo[]) {
    const isOpen = this.openGroups.value.has(injection);
    const shownMembers = members.filter((member) => isOpen || isWellKnown(member) || member.id === encodingId.value);
    const isHighlighted = encoding.value?.injection === injection;
    return html`<div class="group" ?data-lit=${isHighlighted} role="group" aria-label=${name}>
      <span class="group-name"><span aria-hidden="true">${name}</span>${
        members.every(isWellKnown) ? nothing : this.renderFoldButton(injection, name, isOpen, members.length - shownMembers.length)
      }</span>
      <span class="choices">${repeat(
        shownMembers,
        ({ id }) => id,
        ({ id }) => html`<label class="choice">
        <input type="radio" name="encoding" value=${id} .checked=${id === encodingId.value} @change=${() => chooseEncoding(id)}>
        <span>${getEncodingTitle(id)}</span>
      </label>`,
      )}</span>
    </div>`;
  }

  private renderFoldButton(injection: Injection, name: string, isOpen: boolean, hiddenCount: number) {
    return html`<button type="button" class="others" aria-expanded=${isOpen} @click=${() => this.toggle(injection)}>${
      isOpen ? 'fewer' : `${hiddenCount} more`
    }<span class="visually-hidden"> ${name}</span></button>`;
  }

  private toggle(injection: Injection): void {
    const newOpenGroups = new Set(this.openGroups.value);
    if (!newOpenGroups.delete(injection)) newOpenGroups.add(injection);
    this.openGroups.value = newOpenGroups;
  }
}
