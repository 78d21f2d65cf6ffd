// <ph-editor>: edits the sentence, offers examples, restores the original order, and shows a hint to new users.
import { signal } from '@preact/signals-core';
import { html, nothing } from 'lit';
import { findTextProblem, isPassage, PASSAGE_LIMIT } from '../../sentence/tokens.ts';
import { LabElement } from '../element.ts';
import examples from '../state/examples.json';
import { toWellFormed } from '../state/link-fields.ts';
import { INITIAL_STATE, type LabState } from '../state/state.ts';
import { change, customOrder, linkProblem, state, text } from '../state/store.ts';
import { isNarrow, isStacked } from '../state/ui-state.ts';
import { GUIDE_STRINGS, EDITOR_STRINGS as STRINGS } from '../strings.ts';
import { settingsForText } from './choose-encoding.ts';
import { isUnfolded } from './folding.ts';
import { goToStep } from './guide.ts';

interface Example {
  readonly text: string;
  /** Label of the button; default: the text of the example. */
  readonly label?: string;
  readonly settings?: Partial<LabState>;
}
const EXAMPLES = examples as readonly Example[];

const setSentence = (text: string): void => change({ ...settingsForText(text), text, order: [] });

/** Resets the settings that were set by the current example, unless the user has changed them since. */
function resetExampleSettings(): Partial<LabState> {
  const currentState = state.peek();
  const { settings = {} } = EXAMPLES.find(({ text }) => text === currentState.text) ?? {};
  const names = Object.keys(settings) as (keyof LabState)[];
  return names.every((name) => settings[name] === currentState[name])
    ? Object.fromEntries(names.map((name) => [name, INITIAL_STATE[name]]))
    : {};
}

export class Editor extends LabElement {
  private readonly isOpen = signal(false);
  /** The text typed by the user, which may be invalid, and the sentence at that time. */
  private readonly currentEdit = signal<{ readonly draft: string; readonly sentence: string } | undefined>(undefined);

  /** The text that the user is editing; undefined if another sentence has been set since, for example by the Back button. */
  private get draft(): string | undefined {
    const edit = this.currentEdit.value;
    return edit && edit.sentence === text.value ? edit.draft : undefined;
  }

  protected override render() {
    const { draft } = this;
    const problem = draft === undefined ? undefined : findTextProblem(draft);
    const notices = linkProblem.value === undefined ? [] : [linkProblem.value];
    this.toggleAttribute('data-open', this.isOpen.value || notices.length > 0);
    return html`
      <div class="editor-bar">
        <button type="button" class="plain" aria-expanded=${this.isOpen.value} aria-controls="sentence-editor" @click=${this.toggle}>
          ${this.isOpen.value ? 'Done' : 'Edit the sentence'}
        </button>
        ${isStacked.value ? this.renderParameters() : nothing}
        ${state.value.tour === 0 ? html`<button type="button" class="plain" @click=${() => goToStep(1)}>${isNarrow.value ? GUIDE_STRINGS.startTourShort : GUIDE_STRINGS.startTour}</button>` : nothing}
        ${customOrder.value.length > 0 ? html`<button type="button" class="plain put-back" @click=${() => change({ order: [] })}>Reset order</button>` : nothing}
      </div>
      <div id="sentence-editor" ?hidden=${!this.isOpen.value}>
        <label for="sentence-text">Your sentence <span class="muted">any language, at most 512 words and punctuation marks</span></label>
        <textarea id="sentence-text" rows="3" spellcheck="false" .value=${draft ?? text.value}
          dir="auto" aria-invalid=${problem !== undefined} aria-describedby="sentence-problem" @input=${this.input}></textarea>
        ${this.renderExamples()}
      </div>
      <p id="sentence-problem" class="problem" role="alert">${problem ?? nothing} ${problem === undefined ? nothing : this.renderTooLongHint(draft ?? '')}</p>
      ${notices.map((sentence) => html`<p class="problem" role="alert">${sentence}</p>`)}`;
  }

  private renderParameters() {
    const open = isUnfolded.value;
    return html`<button type="button" class="plain" aria-expanded=${open} aria-controls="parameters" @click=${() => {
      isUnfolded.value = !open;
    }}>${STRINGS.parameters}</button>`;
  }

  private renderExamples() {
    return html`<span class="examples"><span class="muted">or try</span>
      ${EXAMPLES.map((example) => this.renderExample(example))}</span>`;
  }

  private renderExample({ text: sentence, label = sentence, settings }: Example) {
    return html`<button type="button" class="example" aria-pressed=${sentence === text.value} @click=${() => {
      this.close();
      change({ ...settingsForText(sentence), ...resetExampleSettings(), ...settings, text: sentence, order: [] });
    }}>${label}</button>`;
  }

  /** Renders a hint for text that is too long: a button that opens it in another view, or the length limit of that view. */
  private renderTooLongHint(draft: string) {
    if (!isPassage(draft)) return draft.trim() === '' ? nothing : STRINGS.passageTooLong(PASSAGE_LIMIT);
    const showPassage = (): void => {
      this.close();
      change({ question: 'reach', view: 'attention-map', figures: { ...state.peek().figures, 'attention-map.passage': draft } });
    };
    return html`<button type="button" class="plain" @click=${showPassage}>${STRINGS.showPassage}</button>`;
  }

  /** Closes the text box, so that the box and its errors do not stay above the picture. */
  private close(): void {
    this.isOpen.value = false;
    this.currentEdit.value = undefined;
  }

  private readonly toggle = (): void => {
    this.isOpen.value = !this.isOpen.value;
    // Keeps invalid text in the box, so that the user can correct it.
    if (findTextProblem(this.draft ?? text.value) === undefined) this.currentEdit.value = undefined;
    if (this.isOpen.value) void this.updateComplete.then(() => this.querySelector('textarea')?.focus());
  };

  private readonly input = (event: Event): void => {
    const { value } = event.target as HTMLTextAreaElement;
    if (!findTextProblem(value)) setSentence(toWellFormed(value));
    this.currentEdit.value = { draft: value, sentence: text.peek() };
  };
}
