// <ph-editor>: edits the sentence, offers examples, and restores the original order.
import { signal } from '@preact/signals-core';
import { html, nothing } from 'lit';
import { isPassage, PASSAGE_LIMIT, textProblem } from '../../sentence/tokens.ts';
import { LabElement } from '../element.ts';
import examples from '../state/examples.json';
import { narrow } from '../state/narrow.ts';
import { change, customOrder, folded, linkProblem, state, text } from '../state/store.ts';
import { wellFormed } from '../state/well-formed.ts';
import { EDITOR_WORDS as WORDS } from '../words.ts';

/** Sets a new sentence, as written. */
const write = (text: string): void => change({ text, order: [] });

export class Editor extends LabElement {
  private readonly open = signal(false);
  /** What was typed, which may be invalid, and the sentence that there was then. */
  private readonly typed = signal<{ readonly draft: string; readonly sentence: string } | undefined>(undefined);

  /** The text in the box while it is the reader's: another sentence, as from a link or the Back button, takes its place. */
  private get draft(): string | undefined {
    const typed = this.typed.value;
    return typed && typed.sentence === text.value ? typed.draft : undefined;
  }

  protected override render() {
    const { draft } = this;
    const problem = draft === undefined ? undefined : textProblem(draft);
    const notices = linkProblem.value === undefined ? [] : [linkProblem.value];
    this.toggleAttribute('data-open', this.open.value || notices.length > 0);
    // Where a figure needs the room, the examples wait in the editor.
    const inBox = narrow.value || folded.value;
    return html`
      <div class="editor-bar">
        <button type="button" class="plain" aria-expanded=${this.open.value} aria-controls="sentence-editor" @click=${this.toggle}>
          ${this.open.value ? 'Done' : 'Edit the sentence'}
        </button>
        ${inBox ? nothing : this.examples()}
        ${customOrder.value.length > 0 ? html`<button type="button" class="plain put-back" @click=${() => change({ order: [] })}>Reset order</button>` : nothing}
      </div>
      <div id="sentence-editor" ?hidden=${!this.open.value}>
        <label for="sentence-text">Your sentence <span class="muted">any language, at most 512 words and punctuation marks</span></label>
        <textarea id="sentence-text" rows="3" spellcheck="false" .value=${draft ?? text.value}
          dir="auto" aria-invalid=${problem !== undefined} aria-describedby="sentence-problem" @input=${this.input}></textarea>
        ${inBox ? this.examples() : nothing}
      </div>
      <p id="sentence-problem" class="problem" role="alert">${problem ?? nothing} ${problem === undefined ? nothing : this.wayOut(draft ?? '')}</p>
      ${notices.map((sentence) => html`<p class="problem" role="alert">${sentence}</p>`)}`;
  }

  private examples() {
    return html`<span class="examples"><span class="muted">or try</span>
      ${examples.slice(0, 4).map((sentence) => this.example(sentence, sentence))}${this.example(examples[4] as string, 'a longer one')}</span>`;
  }

  private example(sentence: string, label: string) {
    const now = sentence === text.value;
    return html`<button type="button" class="example" aria-pressed=${now} @click=${() => {
      this.typed.value = undefined;
      write(sentence);
    }}>${label}</button>`;
  }

  /** What a text that is too long is good for. */
  private wayOut(draft: string) {
    if (!isPassage(draft)) return draft.trim() === '' ? nothing : WORDS.tooLong(PASSAGE_LIMIT);
    const show = (): void => {
      folded.value = true;
      change({ question: 'reach', view: 'long', figures: { ...state.peek().figures, 'long.passage': draft } });
    };
    return html`<button type="button" class="plain" @click=${show}>${WORDS.passage}</button>`;
  }

  private readonly toggle = (): void => {
    this.open.value = !this.open.value;
    // What cannot be shown yet is kept until it is changed.
    if (textProblem(this.draft ?? text.value) === undefined) this.typed.value = undefined;
    if (this.open.value) void this.updateComplete.then(() => this.querySelector('textarea')?.focus());
  };

  private readonly input = (event: Event): void => {
    const { value } = event.target as HTMLTextAreaElement;
    if (!textProblem(value)) write(wellFormed(value));
    this.typed.value = { draft: value, sentence: text.peek() };
  };
}
