// <ph-lecture>: the saved steps of a lecture. The user can open, reorder, delete and restore steps, and share them all in one link.
import { signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit';
import { tokenize } from '../../sentence/tokens.ts';
import { saveOffline } from '../../service-worker/save-offline.ts';
import { SITE_COPY_STRINGS } from '../../service-worker/strings.ts';
import { getEncodingTitle } from '../descriptions.ts';
import { LabElement } from '../element.ts';
import { findQuestion } from '../questions/questions.ts';
import { printLecture } from '../state/lecture-link.ts';
import { parseLink, printLink } from '../state/link.ts';
import { deleteAllLinks, deleteLink, linksBeforeDeletion, moveLink, savedLinks, storageResult, undoDeletion } from '../state/saved.ts';
import { state } from '../state/store.ts';
import { LECTURE_STRINGS as STRINGS } from '../strings.ts';
import { pageAddress } from './address.ts';
import { copyToClipboard } from './copy-link.ts';
import { isSite } from './is-site.ts';
import { showStep } from './present.ts';

/** Returns a step's title and its sentence, in the step's word order. */
function describeStep(link: string): { readonly title: string; readonly sentence: string } {
  const { encoding, question, view, text, order } = parseLink(link).state;
  const { name, views } = findQuestion(question);
  const words = tokenize(text);
  const orderedWords = order.length > 0 ? order.map((index) => words[index]) : words;
  return {
    title: STRINGS.stepTitle(getEncodingTitle(encoding), views.find(({ kind }) => kind === view)?.title ?? name),
    sentence: orderedWords.join(' '),
  };
}

export class Lecture extends LabElement {
  private readonly announcement = signal<string | undefined>(undefined);

  protected override render() {
    const links = savedLinks.value;
    const restorableLinks = linksBeforeDeletion.value;
    if (links.length === 0 && !restorableLinks) return nothing;
    const shownLink = printLink(state.value);
    return html`<details class="lecture" @keydown=${this.escape}>
      <summary>${STRINGS.savedCount(links.length)}${storageResult.value === 'stored' ? nothing : STRINGS.storageNotes[storageResult.value]}</summary>
      <div class="lecture-steps">
        <ol>${links.map((link, index) => this.renderStep(link, index, links.length, link === shownLink))}</ol>
        <p class="lecture-ends">
          ${
            links.length > 0
              ? html`<button type="button" @click=${this.share}>${STRINGS.copyAsLink}</button>
            ${isSite() ? html`<button type="button" @click=${this.save}>${STRINGS.saveAsFile}</button>` : nothing}
            <button type="button" @click=${() => this.changeAndAnnounce(deleteAllLinks, STRINGS.allDeleted)}>${STRINGS.deleteAll}</button>`
              : nothing
          }
          ${restorableLinks ? html`<button type="button" class="undo" @click=${() => this.changeAndAnnounce(undoDeletion, STRINGS.stepsRestored)}>${STRINGS.undo}</button>` : nothing}
          <span class="muted" role="status">${this.announcement.value ?? nothing}</span>
        </p>
      </div>
    </details>`;
  }

  private renderStep(link: string, index: number, count: number, isCurrent: boolean): TemplateResult {
    const { title, sentence } = describeStep(link);
    const position = index + 1;
    return html`<li aria-current=${isCurrent ? 'step' : nothing}>
      <button type="button" class="lecture-step" @click=${() => showStep(link)}><b>${title}</b> <span class="muted" dir="auto">${sentence}</span></button>
      <button type="button" aria-label=${STRINGS.moveUp(position)} ?disabled=${index === 0} @click=${() => this.move(link, -1, position)}>↑</button>
      <button type="button" aria-label=${STRINGS.moveDown(position)} ?disabled=${position === count} @click=${() => this.move(link, 1, position)}>↓</button>
      <button type="button" aria-label=${STRINGS.deleteStep(position)} @click=${() => this.changeAndAnnounce(() => deleteLink(link), STRINGS.stepDeleted(position))}>×</button>
    </li>`;
  }

  private changeAndAnnounce(act: () => void, sentence: string): void {
    act();
    this.announcement.value = sentence;
  }

  /** Moves a step and keeps the focus on its button, so that the user can move the step again. */
  private move(link: string, offset: number, position: number): void {
    this.changeAndAnnounce(() => moveLink(link, offset), STRINGS.stepMoved(position, position + offset));
    void this.updateComplete.then(() => {
      const [, up, down] = this.querySelectorAll<HTMLButtonElement>(`li:nth-child(${position + offset}) button`);
      const [sameButton, otherButton] = offset < 0 ? [up, down] : [down, up];
      (sameButton?.disabled ? otherButton : sameButton)?.focus();
    });
  }

  private readonly share = async (): Promise<void> => {
    this.announcement.value = await copyToClipboard(pageAddress(printLecture(savedLinks.peek())));
  };

  /** Saves the Lab as a single file that opens with these steps. */
  private readonly save = async (): Promise<void> => {
    this.announcement.value = SITE_COPY_STRINGS.preparingDownload;
    this.announcement.value = await saveOffline('lab.html', printLecture(savedLinks.peek()).slice(1));
  };

  private readonly escape = (event: KeyboardEvent): void => {
    const details = event.currentTarget as HTMLDetailsElement;
    if (event.key !== 'Escape' || !details.open) return;
    event.stopPropagation();
    details.open = false;
    details.querySelector('summary')?.focus();
  };
}
