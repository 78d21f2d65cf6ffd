// What stands for a figure that has not come near sight: its words and its room. Many figures come at once, so this is as little as can be; what it
// leaves out takes no room, or is as high as here.
import { html, nothing, type TemplateResult } from 'lit';
import { WORDS } from '../contract/words.ts';

export interface FrameParts {
  readonly question: string;
  readonly caption: string;
  /** The style that keeps room for the picture. */
  readonly reserved: string;
  /** Whether there is anything to change. */
  readonly changes: boolean;
  /** Where the reader's own files come in. */
  readonly bring: unknown;
}

const foldedLine = (title: string): TemplateResult => html`<details part="extra"><summary>${title}</summary></details>`;
const CHANGE = foldedLine(WORDS.controls);
const TABLE = foldedLine(WORDS.table);
const EXPORT = foldedLine(WORDS.export);

export const frameOnly = ({ question, caption, reserved, changes, bring }: FrameParts): TemplateResult =>
  html`<figure aria-labelledby="question">
    <figcaption>
      <p class="question" part="question" id="question">${question}</p>
      <p class="caption" part="caption">${caption}</p>
    </figcaption>
    <div class="picture" .style=${reserved}><slot></slot></div>
    <p class="readout" part="below" aria-hidden="true">&nbsp;</p>
    <p class="proof" part="below">&nbsp;</p>
    ${bring}<div class="extras" part="extras">${changes ? CHANGE : nothing}${TABLE}${EXPORT}</div>
  </figure>`;
