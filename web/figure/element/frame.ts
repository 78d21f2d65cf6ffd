// The frame of a figure that is far from the window: its texts, and room for its picture. Many figures start at once, so the frame is minimal; the
// parts that it leaves out take no room, or are as high as their placeholders here.
import { html, nothing, type TemplateResult } from 'lit';
import { messageOf } from '../../engine/errors.ts';
import { STRINGS } from '../contract/strings.ts';

export interface FrameParts {
  readonly question: string;
  readonly instruction: string;
  readonly caption: string;
  readonly hasOwnReadout?: boolean;
  /** The style that keeps room for the picture. */
  readonly reserved: string;
  /** Whether positions can be played. */
  readonly play: boolean;
  /** Whether there is anything to change. */
  readonly changes: boolean;
  /** Where the reader's own files come in. */
  readonly bring: unknown;
}

const foldedLine = (title: string): TemplateResult => html`<details part="extra"><summary>${title}</summary></details>`;
/** Until the proof is known. */
export const PROOF = html`<details class="proof" part="extra below"><summary>…</summary></details>`;
/** Until there is something to play. */
export const PLAY_BUTTON = html`<button type="button" class="play" disabled>${STRINGS.play}</button>`;
export const PLAY = html`<div class="actions" part="below">${PLAY_BUTTON}</div>`;
const CHANGE = foldedLine(STRINGS.controls);
const TABLE = foldedLine(STRINGS.table);
const EXPORT = foldedLine(STRINGS.export);

export const frameOnly = ({ question, instruction, caption, hasOwnReadout, reserved, play, changes, bring }: FrameParts): TemplateResult =>
  html`<figure aria-labelledby="question">
    <figcaption>
      <p class="question" part="question" id="question" aria-hidden="true">${question}</p>
      <p class="instruction" part="instruction">${instruction}</p>
    </figcaption>
    <div class="picture" .style=${reserved}><slot></slot></div>
    ${hasOwnReadout ? nothing : html`<p class="readout" part="below" aria-hidden="true">&nbsp;</p><p class="caption" part="caption">${caption}</p>`}
    ${play ? PLAY : nothing}${bring}<div class="extras" part="extras">${PROOF}${changes ? CHANGE : nothing}${TABLE}${EXPORT}</div>
  </figure>`;

// A part that throws shows a message in its place, and the other parts of the figure stay.

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

/** A part of the figure, or why it cannot be shown. */
export const part = (make: () => TemplateResult | typeof nothing): TemplateResult | typeof nothing => attempt(make, problemLine);
