// The frame of a figure that is far from the viewport: its texts, and reserved space for its picture. The frame is minimal, because many figures
// start at once; omitted parts take no space, or have placeholders of the same height.
import { html, nothing, type TemplateResult } from 'lit';
import { messageOf } from '../../engine/errors.ts';
import { STRINGS } from '../contract/strings.ts';

export interface FrameParts {
  readonly question: string;
  readonly instruction: string;
  readonly caption: string;
  readonly hasOwnReadout?: boolean;
  /** The style that reserves the space of the picture. */
  readonly reserved: string;
  /** Whether the cursor can be played. */
  readonly play: boolean;
  /** Whether any control exists. */
  readonly changes: boolean;
  /** The slot of the file input. */
  readonly bring: unknown;
}

const foldedLine = (title: string): TemplateResult => html`<details part="extra"><summary>${title}</summary></details>`;
/** A placeholder for a proof that is not computed yet. */
export const PROOF = html`<details class="proof" part="extra below"><summary>…</summary></details>`;
/** The button to play, disabled until there is something to play. */
export const PLAY_BUTTON = html`<button type="button" class="play" disabled>${STRINGS.play}</button>`;
export const PLAY = html`<div class="actions" part="below">${PLAY_BUTTON}</div>`;
const CHANGE = foldedLine(STRINGS.controls);
const TABLE = foldedLine(STRINGS.table);
const EXPORT = foldedLine(STRINGS.export);

export const frameOnly = ({ question, instruction, caption, hasOwnReadout, reserved, play, changes, bring }: FrameParts): TemplateResult =>
  html`<figure aria-labelledby="question">
    <figcaption part="heading">
      <p class="question" part="question" id="question" aria-hidden="true">${question}</p>
      <p class="instruction" part="instruction">${instruction}</p>
    </figcaption>
    <div class="picture" .style=${reserved}><slot></slot></div>
    ${hasOwnReadout ? nothing : html`<p class="readout" part="below" aria-hidden="true">&nbsp;</p><p class="caption" part="caption">${caption}</p>`}
    ${play ? PLAY : nothing}${bring}<div class="extras" part="extras">${PROOF}${changes ? CHANGE : nothing}${TABLE}${EXPORT}</div>
  </figure>`;

// Creates a part; if creation fails, a message replaces the part, and the others remain.

export function attempt<Result>(make: () => Result, otherwise: (message: string) => Result): Result {
  try {
    return make();
  } catch (thrown) {
    console.error(thrown);
    return otherwise(messageOf(thrown));
  }
}

export const problemLine = (message: string, more: unknown = nothing): TemplateResult =>
  html`<p class="problem" part="problem" role="alert">${message}${more}</p>`;

/** A part of the figure, or the reason why it failed. */
export const part = (make: () => TemplateResult | typeof nothing): TemplateResult | typeof nothing => attempt(make, problemLine);
