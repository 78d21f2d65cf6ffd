// <ph-rail>: the encodings, grouped by where they enter attention.
import { signal } from '@preact/signals-core';
import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { EncodingInfo, Injection, Params } from '../../engine/index.ts';
import { openConfig } from '../config/later-config.ts';
import { described, descriptionOf, titleOf } from '../descriptions.ts';
import { LabElement } from '../element.ts';
import { change, encoding, encodingId, engine, folded, inputError, state } from '../state/store.ts';
import { RAIL_WORDS } from '../words.ts';
import { diagram } from './diagram.ts';
import { encodingLine } from './encoding-line.ts';
import { errorAt, latestError } from './error-message.ts';
import { presenting } from './present.ts';

/** Injection points in the order of computation. */
const GROUPS: readonly { readonly injection: Injection; readonly name: string }[] = [
  { injection: 'none', name: 'no position' },
  { injection: 'input', name: 'added to the embeddings' },
  { injection: 'query_key', name: 'in queries and keys' },
  { injection: 'score', name: 'in the scores' },
  { injection: 'score_content', name: 'in the scores, depending on the words' },
  { injection: 'key_value', name: 'in keys and values' },
];

/** Parameters of previously selected encodings, restored when they are selected again. */
const kept = new Map<string, Params>();

function chooseEncoding(id: string): void {
  kept.set(state.peek().encoding, state.peek().params);
  change({ encoding: id, params: kept.get(id) ?? {} }, 'encoding');
}

const rankOf = ({ id }: EncodingInfo): number => descriptionOf(id)?.rank ?? Number.POSITIVE_INFINITY;
const isWellKnown = ({ id }: EncodingInfo): boolean => descriptionOf(id)?.wellKnown ?? true;

/** The encodings of a group; those for images only when selected. */
const membersOf = (encodings: readonly EncodingInfo[], injection: Injection): EncodingInfo[] =>
  encodings
    .filter((one) => one.injection === injection && (one.axes === 1 || one.id === encodingId.value))
    .sort((a, b) => rankOf(a) - rankOf(b));

export class Rail extends LabElement {
  /** Expanded groups. */
  private readonly open = signal<ReadonlySet<Injection>>(new Set());

  protected override render() {
    // Without descriptions it is not known which ones are listed at once.
    const encodings = (described.value && engine.value?.encodings) || [];
    const now = encoding.value;
    if ((folded.value || presenting.value) && now) {
      const line = encodingLine(now, state.value, descriptionOf(now.id)?.mainParams ?? now.params.slice(0, 2).map(({ name }) => name));
      return html`<div class="folded"><b>${titleOf(now.id)}</b> <span class="muted">${line}</span>
        <button type="button" class="plain" aria-expanded="false" @click=${() => this.unfold()}>${RAIL_WORDS.change}</button>
        <button type="button" class="plain" @click=${openConfig}>${RAIL_WORDS.config}</button></div>${latestError()}${folded.value && inputError.value ? this.correction() : nothing}`;
    }
    return html`
      <div class="rail">
        <div class="groups" role="radiogroup" aria-label="Positional encoding">
          ${GROUPS.map(({ injection, name }) => this.group(injection, name, membersOf(encodings, injection)))}
        </div>
        ${encodings.length > 0 ? diagram(encoding.value?.injection) : nothing}
      </div>
      ${errorAt('encoding')}`;
  }

  private unfold(): void {
    folded.value = false;
    void this.updateComplete.then(() => this.querySelector<HTMLElement>('input:checked')?.focus());
  }

  private correction() {
    return html`<button type="button" class="plain" @click=${this.correct}>${RAIL_WORDS.correct}</button>`;
  }

  /** Unfolds, and leads to the control that is wrong. */
  private readonly correct = async (): Promise<void> => {
    folded.value = false;
    const controls = document.querySelector<LabElement>('ph-controls');
    await Promise.all([this.updateComplete, controls?.updateComplete]);
    (controls?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? this.querySelector<HTMLElement>('input:checked'))?.focus();
  };

  private group(injection: Injection, name: string, members: readonly EncodingInfo[]) {
    if (members.length === 0) return nothing;
    const open = this.open.value.has(injection);
    const shown = members.filter((one) => open || isWellKnown(one) || one.id === encodingId.value);
    const lit = encoding.value?.injection === injection;
    return html`<div class="group" ?data-lit=${lit}>
      <span class="group-name">${name}${members.every(isWellKnown) ? nothing : this.others(injection, name, open, members.length - shown.length)}</span>
      <span class="choices">${repeat(
        shown,
        ({ id }) => id,
        ({ id }) => html`<label class="choice">
        <input type="radio" name="encoding" value=${id} .checked=${id === encodingId.value} @change=${() => chooseEncoding(id)}>
        <span>${titleOf(id)}</span>
      </label>`,
      )}</span>
    </div>`;
  }

  private others(injection: Injection, name: string, open: boolean, hidden: number) {
    return html`<button type="button" class="others" aria-expanded=${open} @click=${() => this.toggle(injection)}>${
      open ? 'fewer' : `${hidden} more`
    }<span class="visually-hidden"> ${name}</span></button>`;
  }

  private toggle(injection: Injection): void {
    const next = new Set(this.open.value);
    if (!next.delete(injection)) next.add(injection);
    this.open.value = next;
  }
}
