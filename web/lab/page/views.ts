// <ph-views>: the list of questions, and the current question's large figure with at most two supporting figures.

import { type ElementPart, html, noChange, nothing, type TemplateResult } from 'lit';
import { Directive, directive, type PartInfo, PartType } from 'lit/directive.js';
import { repeat } from 'lit/directives/repeat.js';
import type { EncodingInfo } from '../../engine/index.ts';
import type { FigureChange } from '../../figure/contract/element-types.ts';
import { toKebabCase } from '../../figure/contract/spec.ts';
import type { PhasorFigure } from '../../figure/element/element.ts';
import { SHARED_FIELDS } from '../../figure/runtime/link-group.ts';
import { getEncodingTitle } from '../descriptions.ts';
import { LabElement } from '../element.ts';
import { ERROR_STRINGS } from '../error-strings.ts';
import { activePreset, loadPresets } from '../presets/later-presets.ts';
import { arrangeViews, explainUnsupported, suggestQuestion, supports } from '../questions/arrangement.ts';
import { getHint } from '../questions/hints.ts';
import { findQuestion, QUESTIONS, type Question, type View } from '../questions/questions.ts';
import { LINK_GROUP } from '../state/sharing.ts';
import type { FigureFields } from '../state/state.ts';
import { change, encoding, inputError, state } from '../state/store.ts';
import { isNarrow } from '../state/ui-state.ts';
import { QUESTION_STRINGS as STRINGS } from '../strings.ts';
import { isPresenting } from './present.ts';
import { computeMaxPresentedHeight, fitPresented, getMaxLargeHeight, limitSentenceHeight } from './room.ts';

type Attributes = { readonly [name: string]: string };

class AttributesDirective extends Directive {
  private previousAttributes: Attributes = {};

  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new Error('attributes() can only be used in the tag of an element');
  }

  override render(_: Attributes): unknown {
    return noChange;
  }

  override update({ element }: ElementPart, [next]: [Attributes]): unknown {
    for (const name of Object.keys(this.previousAttributes)) if (!Object.hasOwn(next, name)) element.removeAttribute(name);
    for (const [name, value] of Object.entries(next)) if (this.previousAttributes[name] !== value) element.setAttribute(name, value);
    this.previousAttributes = next;
    return noChange;
  }
}

/** A Lit directive that sets attributes on its element, and removes those that its previous call set. */
const setAttributes = directive(AttributesDirective);

/** Returns the fields that the user has set in figures of one kind, as attributes. */
const listAttributes = (kind: string, figures: FigureFields): [string, string][] =>
  Object.entries(figures)
    .filter(([name]) => name.startsWith(`${kind}.`))
    .map(([name, value]) => [toKebabCase(name.slice(kind.length + 1)), value]);

/** Stores a figure field that the user has changed. Shared fields are not stored here, because the state contains them. */
function storeFields(event: CustomEvent<FigureChange>): void {
  const { field, spec, text } = event.detail;
  const kind = spec.kind ?? '';
  const ownFields = (event.target as PhasorFigure).live.peek()?.kind.unlinkedFields ?? [];
  if ((SHARED_FIELDS.includes(field) && !ownFields.includes(field)) || !text) return;
  const { [`${kind}.${field}`]: _, ...others } = state.peek().figures;
  const value = text[field];
  change({ figures: value === undefined ? others : { ...others, [`${kind}.${field}`]: value } });
}

/** Returns the attributes of the figure `compare`: the other encoding, and the displayed names of A and B. */
function createComparisonAttributes(selectedId?: string): { [attribute: string]: string } {
  const { a, b } = activePreset.value ?? {};
  if (a && b) return { 'name-a': a, 'name-b': b };
  const { encoding: id, params } = state.value;
  // By default, ALiBi is compared with RoPE, and all other encodings with ALiBi.
  const otherId = selectedId ?? (id === 'alibi' ? 'rope' : 'alibi');
  return {
    other: otherId,
    ...(Object.keys(params).length === 0 ? { 'name-a': getEncodingTitle(id) } : {}),
    ...(otherId.includes(' ') ? {} : { 'name-b': getEncodingTitle(otherId) }),
  };
}

export class Views extends LabElement {
  protected override render() {
    const question = findQuestion(state.value.question);
    const encodingInfo = encoding.value;
    return html`
      <nav class="questions" role="tablist" aria-label=${STRINGS.listLabel} @keydown=${this.onArrowKey}>
        ${QUESTIONS.map((tabQuestion) => this.renderTab(tabQuestion, encodingInfo !== undefined && suggestQuestion(encodingInfo) === tabQuestion.id))}
      </nav>
      <div class="answers" id="answers" role="tabpanel" aria-labelledby=${`question-${question.id}`} ?data-stale=${inputError.value !== undefined}
        @phasor-change=${storeFields}>
        ${encodingInfo ? this.renderAnswers(question, encodingInfo) : nothing}
      </div>`;
  }

  private stopFitting: () => void = () => {};
  private stopLimiting: () => void = () => {};

  override connectedCallback(): void {
    super.connectedCallback();
    this.stopLimiting = limitSentenceHeight(isPresenting);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopLimiting();
    this.stopFitting();
  }

  protected override updated(): void {
    this.stopFitting();
    const section = isPresenting.peek() ? this.querySelector<HTMLElement>('section.large') : null;
    this.stopFitting = section ? fitPresented(section) : () => {};
  }

  private renderTab({ id, name, heading }: Question, isSuggested: boolean): TemplateResult {
    const isOpen = state.value.question === id;
    return html`<button type="button" role="tab" id=${`question-${id}`} aria-selected=${isOpen} aria-controls="answers" tabindex=${isOpen ? 0 : -1}
      ?data-suggested=${isSuggested} @click=${() => this.openQuestion(id)}><b>${name}</b><span>${heading}</span></button>`;
  }

  private renderAnswers(question: Question, encodingInfo: EncodingInfo): TemplateResult {
    const { view, figures } = state.value;
    const { largeView, supportingViews } = arrangeViews(question, view, encodingInfo);
    const shownViews = [largeView, ...supportingViews];
    const comparesConventions = question.comparesConventions;
    if (comparesConventions) loadPresets();
    // A preset displays its own text above the figure instead of the hint.
    const preset = activePreset.value;
    const chips = question.views.map((viewOption) => this.renderChip(viewOption, viewOption === largeView, encodingInfo));
    const hasUnsupportedViews = question.views.some((viewOption) => !supports(viewOption, encodingInfo));
    const reason = explainUnsupported(largeView, encodingInfo, getEncodingTitle(encodingInfo.id));
    return html`
      <div class=${`views beside-${supportingViews.length}`}>
        <div class="side">
          ${chips.length > 1 ? html`<div class="view-list" role="radiogroup" aria-label=${STRINGS.viewListLabel}>${chips}${hasUnsupportedViews ? html`<span class="muted">${STRINGS.dashedViewsNote(getEncodingTitle(encodingInfo.id))}</span>` : nothing}</div>` : nothing}
          ${comparesConventions ? html`<ph-conventions></ph-conventions>` : nothing}
          <aside class="see" ?data-tour=${state.value.tour > 0}>${reason || preset ? nothing : html`<h2>${STRINGS.hintHeading}</h2><p>${getHint(largeView.kind, encodingInfo, state.value)}</p>`}<ph-guide></ph-guide></aside>
        </div>
        ${
          reason
            ? html`<p class="large nothing">${reason} ${this.renderSuggestion(encodingInfo, question.id)}</p>`
            : repeat(
                shownViews,
                ({ kind }) => kind,
                (shownView, index) => this.renderFigure(shownView, index === 0, listAttributes(shownView.kind, figures)),
              )
        }
      </div>`;
  }

  private renderChip(view: View, isLarge: boolean, encodingInfo: EncodingInfo): TemplateResult {
    const { kind, title } = view;
    const isEmpty = !supports(view, encodingInfo);
    return html`<label class="choice" ?data-empty=${isEmpty}>
      <input type="radio" name="view" value=${kind} .checked=${isLarge} @change=${() => change({ view: kind })}><span>${title}</span>
    </label>`;
  }

  private renderSuggestion(encodingInfo: EncodingInfo, currentId: string): TemplateResult | typeof nothing {
    const suggestedId = suggestQuestion(encodingInfo);
    if (suggestedId === currentId) return nothing;
    return html`<button type="button" class="plain" @click=${() => this.openQuestion(suggestedId)}>${findQuestion(suggestedId).name}</button>`;
  }

  private renderFigure(
    { kind, title, width: widthSource, presentedLayout, fieldsForEncoding }: View,
    isLarge: boolean,
    fields: [string, string][],
  ): TemplateResult {
    const { heads, dim, encoding } = state.value;
    const ownAttributes = Object.fromEntries(fields);
    const headAttributes = widthSource === 'head' ? { dim: String(dim / heads) } : {};
    // The error is also shown here, because a single-head figure may accept a number of heads that does not divide the dimension.
    const rejectedInput = inputError.value;
    const encodingAttributes = fieldsForEncoding?.(encoding) ?? {};
    const comparison = kind === 'compare' ? createComparisonAttributes(ownAttributes.other) : {};
    const fixedAttributes = { ...headAttributes, ...(widthSource ? { lock: 'dim' } : {}) };
    const sizeAttributes = {
      'max-height': String(!isLarge ? 300 : isPresenting.value ? computeMaxPresentedHeight(presentedLayout) : getMaxLargeHeight()),
    };
    return html`<section class=${isLarge ? 'large' : 'small'} data-presented=${presentedLayout ?? nothing}>
      ${isLarge && findQuestion(state.value.question).comparesConventions ? html`<ph-finding></ph-finding>` : nothing}
      ${isLarge ? nothing : html`<button type="button" class="plain enlarge" aria-label=${STRINGS.enlargeLabel(title)} @click=${() => change({ view: kind })}>${title}</button>`}
      <ph-notes></ph-notes>
      <phasor-figure kind=${kind} group=${LINK_GROUP} ?compact=${!isLarge} ${setAttributes({ ...sizeAttributes, ...encodingAttributes, ...ownAttributes, ...comparison, ...fixedAttributes })}>${
        // A figure displays its child elements until its results are available.
        rejectedInput ? html`<p class="problem">${ERROR_STRINGS.cannotDraw(rejectedInput.message)}</p>` : nothing
      }</phasor-figure>
    </section>`;
  }

  private openQuestion(id: string): void {
    change({ question: id, view: '' });
    // On a phone, the questions are at the bottom of the window, so the opened figure may be out of view.
    const scrollToLarge = () => this.querySelector('.large')?.scrollIntoView({ block: 'start' });
    if (isNarrow.peek()) void this.updateComplete.then(() => requestAnimationFrame(scrollToLarge));
  }

  private readonly onArrowKey = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const questionIndex = QUESTIONS.findIndex(({ id }) => id === state.peek().question);
    const nextQuestion = QUESTIONS[(questionIndex + step + QUESTIONS.length) % QUESTIONS.length] as Question;
    this.openQuestion(nextQuestion.id);
    void this.updateComplete.then(() => this.querySelector<HTMLElement>(`#question-${nextQuestion.id}`)?.focus());
  };
}
