// <ph-panels>: three questions side by side; as tabs on narrow screens.
import { signal } from '@preact/signals-core';
import { html } from 'lit';
import { LabElement } from '../element.ts';
import { narrow } from '../narrow.ts';

const QUESTIONS = [
  { id: 'added', question: 'What is added?', body: html`<ph-added></ph-added>` },
  { id: 'attention', question: 'What does attention see?', body: html`<ph-attention></ph-attention>` },
  { id: 'change', question: 'What changes?', body: html`<ph-change></ph-change>` },
] as const;

type PanelId = (typeof QUESTIONS)[number]['id'];

export class Panels extends LabElement {
  private readonly open = signal<PanelId>('attention');

  protected override render() {
    const tabs = narrow.value;
    const bar = html`<div class="tabs" role="tablist" aria-label="Views" @keydown=${this.arrow}>
      ${QUESTIONS.map(
        ({ id, question }) => html`<button type="button" role="tab" id=${`tab-${id}`} aria-controls=${`panel-${id}`}
        aria-selected=${id === this.open.value} tabindex=${id === this.open.value ? 0 : -1}
        @click=${() => this.show(id)}>${question}</button>`,
      )}
    </div>`;
    return html`${tabs ? bar : ''}
      <div class="panels">
        ${QUESTIONS.map(
          ({ id, question, body }) => html`<section id=${`panel-${id}`} class="panel" role=${tabs ? 'tabpanel' : 'region'}
          aria-labelledby=${tabs ? `tab-${id}` : `question-${id}`} ?hidden=${tabs && id !== this.open.value}>
          <h2 id=${`question-${id}`}>${question}</h2>${body}</section>`,
        )}
      </div>`;
  }

  private show(id: PanelId): void {
    this.open.value = id;
  }

  private readonly arrow = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const at = QUESTIONS.findIndex(({ id }) => id === this.open.value);
    const next = QUESTIONS[(at + step + QUESTIONS.length) % QUESTIONS.length] as (typeof QUESTIONS)[number];
    this.show(next.id);
    void this.updateComplete.then(() => this.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus());
  };
}
