// <ph-guide>: what leads through the open question: the steps of the tour, the words that are used.
import { html, nothing, type TemplateResult } from 'lit';
import { openConfig } from '../config/later-config.ts';
import { LabElement } from '../element.ts';
import { questionOf } from '../questions/questions.ts';
import { isAt, type Step, stepOf, stepState, TOUR } from '../questions/tour.ts';
import { change, state } from '../state/store.ts';
import { GLOSSARY, RAIL_WORDS, GUIDE_WORDS as WORDS } from '../strings.ts';

export const goToStep = (tour: number): void => change(stepState(tour));

export class Guide extends LabElement {
  protected override render() {
    const { question, tour } = state.value;
    const step = stepOf(state.value);
    const { guide } = questionOf(question);
    return html`${step ? this.tour(step, tour) : nothing}
      ${guide.includes('config') ? this.config() : nothing}
      ${guide.includes('glossary') ? this.glossary() : nothing}`;
  }

  private tour(step: Step, at: number): TemplateResult {
    const isHere = isAt(state.value, step);
    return html`<section class="tour" aria-label=${WORDS.tourLabel}>
      <p class="muted">${WORDS.step(at, TOUR.length)}</p>
      <h2>${step.title}</h2>
      <p>${isHere ? step.say : WORDS.away}</p>
      <p class="tour-steps">
        ${at > 1 ? html`<button type="button" @click=${() => goToStep(at - 1)}>${WORDS.back}</button>` : nothing}
        ${isHere ? nothing : html`<button type="button" class="next" @click=${() => goToStep(at)}>${WORDS.return}</button>`}
        ${isHere && at < TOUR.length ? html`<button type="button" class="next" @click=${() => goToStep(at + 1)}>${WORDS.next}</button>` : nothing}
        <button type="button" class="plain" @click=${() => change({ tour: 0 })}>${WORDS.leaveTour}</button>
      </p>
    </section>`;
  }

  private config(): TemplateResult {
    return html`<p class="invitation">${WORDS.model} <button type="button" class="plain" @click=${openConfig}>${RAIL_WORDS.config}</button></p>`;
  }

  private glossary(): TemplateResult {
    return html`<details class="glossary"><summary>${WORDS.glossary}</summary>
      <dl>${GLOSSARY.map(([word, meaning]) => html`<dt>${word}</dt><dd>${meaning}</dd>`)}</dl></details>`;
  }
}
