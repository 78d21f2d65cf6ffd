// <ph-guide>: help for the current question, such as the RoPE tour or a glossary.
import { html, nothing, type TemplateResult } from 'lit';
import { openConfig } from '../config/later-config.ts';
import { LabElement } from '../element.ts';
import { findQuestion } from '../questions/questions.ts';
import { findTourStep, showsStep, stateFromStep, TOUR, type TourStep } from '../questions/tour.ts';
import { change, state } from '../state/store.ts';
import { GLOSSARY, RAIL_STRINGS, GUIDE_STRINGS as STRINGS } from '../strings.ts';

export const goToStep = (stepNumber: number): void => change(stateFromStep(stepNumber));

export class Guide extends LabElement {
  protected override render() {
    const { question, tour } = state.value;
    const step = findTourStep(state.value);
    const { guideParts } = findQuestion(question);
    return html`${step ? this.renderTour(step, tour) : nothing}
      ${guideParts.includes('config') ? this.renderConfig() : nothing}
      ${guideParts.includes('glossary') ? this.renderGlossary() : nothing}`;
  }

  private renderTour(step: TourStep, stepNumber: number): TemplateResult {
    const isAtStep = showsStep(state.value, step);
    return html`<section class="tour" aria-label=${STRINGS.tourLabel}>
      <p class="muted">${STRINGS.stepLabel(stepNumber, TOUR.length)}</p>
      <h2>${step.title}</h2>
      <p>${isAtStep ? step.text : STRINGS.leftStepNote}</p>
      <p class="tour-steps">
        ${stepNumber > 1 ? html`<button type="button" @click=${() => goToStep(stepNumber - 1)}>${STRINGS.previousStep}</button>` : nothing}
        ${isAtStep ? nothing : html`<button type="button" class="next" @click=${() => goToStep(stepNumber)}>${STRINGS.returnToStep}</button>`}
        ${isAtStep && stepNumber < TOUR.length ? html`<button type="button" class="next" @click=${() => goToStep(stepNumber + 1)}>${STRINGS.nextStep}</button>` : nothing}
        <button type="button" class="plain" @click=${() => change({ tour: 0 })}>${STRINGS.leaveTour}</button>
      </p>
    </section>`;
  }

  private renderConfig(): TemplateResult {
    return html`<p class="invitation">${STRINGS.lookUpModel} <button type="button" class="plain" @click=${openConfig}>${RAIL_STRINGS.pasteConfig}</button></p>`;
  }

  private renderGlossary(): TemplateResult {
    return html`<details class="glossary"><summary>${STRINGS.glossaryTitle}</summary>
      <dl>${GLOSSARY.map(([word, meaning]) => html`<dt>${word}</dt><dd>${meaning}</dd>`)}</dl></details>`;
  }
}
