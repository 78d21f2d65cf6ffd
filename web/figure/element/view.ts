// Renders <phasor-figure>: its heading, picture, readout, proof, controls, tables and exports.
import { watch } from '@lit-labs/preact-signals';
import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { capitalize, formatNumber } from '../../charts/number.ts';
import { type PaceControls, type Proof, passes, verdictOf } from '../contract/kind.ts';
import type { AnyKind } from '../contract/registry.ts';
import { STRINGS } from '../contract/strings.ts';
import { formatUntrainedNote } from '../contract/untrained.ts';
import { hasControls } from '../controls/has-controls.ts';
import type { ExportSource } from '../export/menu.ts';
import type { Computed, Figure } from '../runtime/controller.ts';
import { renderActions } from '../surface/actions.ts';
import { PLAY_BUTTON, PLAY_PLACEHOLDER, PROOF_PLACEHOLDER, renderFrame, renderPart, renderProblem } from './frame.ts';
import { renderControlsPart, renderNumbersPart } from './lazy-parts.ts';
import type { View } from './view-state.ts';

const renderRestartButton = ({ restart }: Figure): TemplateResult =>
  html` <button type="button" @click=${restart}>${STRINGS.restart}</button>`;

/** Renders the proof for the displayed results. It is marked as stale if the current settings were rejected. */
function renderProof(kind: AnyKind, proof: Proof, isStale: boolean): TemplateResult {
  const residualText = STRINGS.residual(proof.quantity, formatNumber(proof.residual), formatNumber(proof.tolerance, { short: true }));
  const verdict = isStale ? STRINGS.stale : verdictOf(kind, proof);
  return html`<details class=${isStale ? 'proof stale' : passes(proof) ? 'proof' : 'proof fails'} part="extra below">
    <summary><b>${verdict}</b></summary>
    <p>${proof.conclusion} ${capitalize(residualText)}. <span class="source">${proof.toleranceSource}</span></p>
  </details>`;
}

/** Renders the note about untrained parameters below custom HTML. Other pictures already contain the note. */
function renderUntrainedNote({ kind, encodings }: Figure, { spec }: Computed): TemplateResult | typeof nothing {
  const note = formatUntrainedNote(kind, spec, encodings.value);
  return note === undefined ? nothing : html`<p class="untrained" part="below">${note}</p>`;
}

function renderProgress({ progress }: Figure): TemplateResult | typeof nothing {
  const completedFraction = progress.value;
  return completedFraction === undefined
    ? nothing
    : html`<progress max="1" .value=${completedFraction} aria-label=${STRINGS.computing}></progress>`;
}

export interface ViewActions {
  readonly exportSource: ExportSource;
  changed(figure: Figure, field: string): void;
  renderFileInput(figure: Figure): TemplateResult | typeof nothing;
}

function renderPlayButton({ player }: View, { kind }: Figure): TemplateResult | typeof nothing {
  const activePlayer = player.value;
  if (!activePlayer) return kind.playback ? PLAY_BUTTON : nothing;
  const isPlaying = activePlayer.isPlaying.value;
  return html`<button type="button" class="play" @click=${activePlayer.toggle}>${isPlaying ? STRINGS.pause : STRINGS.play}</button>`;
}

const renderPaceButtons = ({ state, partial }: Figure, { buttons }: PaceControls): TemplateResult | typeof nothing =>
  state.value === 'computing' && partial.value ? buttons() : nothing;

/** Renders the buttons below the picture. Their effect is announced to screen readers. */
function renderActionRow(view: View, figure: Figure, latest: Computed | undefined, changed: ViewActions['changed']) {
  if (!latest) return figure.kind.playback ? PLAY_PLACEHOLDER : nothing;
  const pace = figure.pace.value;
  return renderActions(
    figure,
    latest,
    view.settings.value.lock,
    pace ? renderPaceButtons(figure, pace) : renderPlayButton(view, figure),
    (fields) => {
      figure.change(fields);
      for (const name of Object.keys(fields)) changed(figure, name);
      const announce = (): void => {
        view.announcement.value = view.readout.peek();
      };
      figure.ready().then(announce, () => {});
    },
  );
}

export interface FrameState {
  /** Whether the element contains a still picture, which is displayed until the results are computed. */
  readonly hasStillPicture: boolean;
  /** Whether a placeholder is still displayed in place of this figure. */
  readonly isCovered: boolean;
  /** The minimum height of the picture, in px. */
  readonly height: number | undefined;
}

export function renderFigureTemplate(view: View, actions: ViewActions, { hasStillPicture, isCovered, height }: FrameState): TemplateResult {
  const figure = view.figure.value;
  const problem = view.problem.value;
  const latest = view.latestResult.value;
  const problemTemplate =
    problem === undefined
      ? nothing
      : renderProblem(problem, figure?.failure.value?.isEngineFailure ? renderRestartButton(figure) : nothing);
  if (!figure) return html`<figure><slot></slot>${problemTemplate}</figure>`;
  const { kind } = figure;
  const isStale = problem !== undefined && latest !== undefined;
  const isLive = latest !== undefined && view.internalError.value === undefined;
  const { maxHeight = 480 } = view.settings.value;
  // Reserves space for the picture, so that the content below does not move later.
  const minHeight = height === undefined ? '' : `min-height: ${height}px`;
  const reservedStyle = isLive
    ? minHeight
    : hasStillPicture || problem
      ? ''
      : `min-height: min(calc(${kind.aspect ?? 0.5} * 100cqi), ${maxHeight}px)`;
  const { lock, controls } = view.settings.value;
  if (!view.hasBeenNear.value && !latest && problem === undefined && !controls)
    return renderFrame({
      ...kind,
      hasPlayButton: kind.playback !== undefined,
      reservedStyle,
      showsControls: hasControls(kind, lock),
      fileInput: actions.renderFileInput(figure),
    });
  const { visibleControls, collapsedControls } = renderControlsPart(view, figure, actions.changed);
  return html`<figure aria-labelledby="question" ?hidden=${isCovered}>
    <figcaption part="heading">
      <p class="question" part="question" id="question" aria-hidden="true">${kind.question}</p>
      <p class="instruction" part="instruction">${kind.instruction}</p>
    </figcaption>
    <div class=${`picture${isStale ? ' stale' : ''}`} .style=${reservedStyle} tabindex=${kind.surface ? nothing : latest ? 0 : -1} role="group"
      aria-label=${STRINGS.picture} aria-describedby=${kind.surface ? nothing : 'keys'}>${isLive || isCovered ? nothing : html`<slot></slot>`}<div class="surface" ?hidden=${hasStillPicture && !isLive}></div></div>
    ${kind.surface && latest ? renderUntrainedNote(figure, latest) : nothing}
    ${problemTemplate}
    ${figure.rejectedValues.value.map(({ message }) => html`<p class="kept">${message}</p>`)}
    ${renderProgress(figure)}
    ${
      kind.hasOwnReadout
        ? nothing
        : html`<p class=${`readout${isStale ? ' stale' : ''}`} part="below" aria-hidden="true">${watch(view.readout)}</p>
          <p class="caption" part="caption">${kind.caption}</p>`
    }
    ${renderPart(() => renderActionRow(view, figure, latest, actions.changed))}
    ${visibleControls}
    ${actions.renderFileInput(figure)}
    <div class="extras" part="extras">${latest ? guard([latest, isStale], () => renderPart(() => renderProof(kind, kind.proof(latest.results, latest.spec), isStale))) : PROOF_PLACEHOLDER}${collapsedControls}${renderNumbersPart(view, figure, latest, actions.exportSource)}</div>
    <div class="live" aria-live="polite">${watch(view.announcement)}</div>
    <div class="live" id="keys">${STRINGS.arrowKeys}</div>
  </figure>`;
}
