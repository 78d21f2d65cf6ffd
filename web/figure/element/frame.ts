// Renders a figure that is far from the viewport: its text, and empty space for its picture. The template is small, because a page may
// create many figures at once. Placeholders are as high as the elements that replace them.
import { html, nothing, type TemplateResult } from 'lit';
import { messageOf } from '../../engine/errors.ts';
import { STRINGS } from '../contract/strings.ts';

export interface FrameParts {
  readonly question: string;
  readonly instruction: string;
  readonly caption: string;
  readonly hasOwnReadout?: boolean;
  /** The CSS that reserves space for the picture. */
  readonly reservedStyle: string;
  readonly hasPlayButton: boolean;
  readonly showsControls: boolean;
  readonly fileInput: unknown;
}

const renderCollapsedPart = (title: string): TemplateResult => html`<details part="extra"><summary>${title}</summary></details>`;
export const PROOF_PLACEHOLDER = html`<details class="proof" part="extra below"><summary>…</summary></details>`;
export const PLAY_BUTTON = html`<button type="button" class="play" disabled>${STRINGS.play}</button>`;
export const PLAY_PLACEHOLDER = html`<div class="actions" part="below">${PLAY_BUTTON}</div>`;
const CONTROLS_PLACEHOLDER = renderCollapsedPart(STRINGS.controls);
const TABLE_PLACEHOLDER = renderCollapsedPart(STRINGS.table);
const EXPORT_PLACEHOLDER = renderCollapsedPart(STRINGS.export);

export const renderFrame = ({
  question,
  instruction,
  caption,
  hasOwnReadout,
  reservedStyle,
  hasPlayButton,
  showsControls,
  fileInput,
}: FrameParts): TemplateResult =>
  html`<figure aria-labelledby="question">
    <figcaption part="heading">
      <p class="question" part="question" id="question" aria-hidden="true">${question}</p>
      <p class="instruction" part="instruction">${instruction}</p>
    </figcaption>
    <div class="picture" .style=${reservedStyle}><slot></slot></div>
    ${hasOwnReadout ? nothing : html`<p class="readout" part="below" aria-hidden="true">&nbsp;</p><p class="caption" part="caption">${caption}</p>`}
    ${hasPlayButton ? PLAY_PLACEHOLDER : nothing}${fileInput}<div class="extras" part="extras">${PROOF_PLACEHOLDER}${showsControls ? CONTROLS_PLACEHOLDER : nothing}${TABLE_PLACEHOLDER}${EXPORT_PLACEHOLDER}</div>
  </figure>`;

/** Returns the result of `create`, or that of `onError` if `create` throws, so that the rest of the figure is still rendered. */
export function resultOrFallback<Result>(create: () => Result, onError: (message: string) => Result): Result {
  try {
    return create();
  } catch (thrown) {
    console.error(thrown);
    return onError(messageOf(thrown));
  }
}

export const renderProblem = (message: string, extraContent: unknown = nothing): TemplateResult =>
  html`<p class="problem" part="problem" role="alert">${message}${extraContent}</p>`;

/** Renders a part of the figure, or an error message if rendering throws. */
export const renderPart = (create: () => TemplateResult | typeof nothing): TemplateResult | typeof nothing =>
  resultOrFallback(create, renderProblem);
