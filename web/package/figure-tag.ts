// Renders a complete figure to static HTML: a <phasor-figure> tag with the initial content of the live figure. The text is in a declarative
// shadow root, and the picture is slotted into it.
import { html, type TemplateResult } from 'lit';
import { escapeMarkup } from '../charts/escaped.ts';
import { capitalize, formatNumber } from '../charts/number.ts';
import type { EncodingInfo } from '../engine/index.ts';
import type { Settings } from '../figure/contract/attributes.ts';
import { passes, verdictOf } from '../figure/contract/kind.ts';
import type { AnyKind } from '../figure/contract/registry.ts';
import { printTag } from '../figure/contract/spec.ts';
import { STRINGS } from '../figure/contract/strings.ts';
import { renderFieldControls } from '../figure/controls/controls.ts';
import { hasControls } from '../figure/controls/has-controls.ts';
import { filterUnlockedActions } from '../figure/surface/actions.ts';
import { FIGURE_STYLE } from './figure-style.ts';
import { toStaticHtml } from './template-text.ts';

interface ComputedFigure {
  readonly kind: AnyKind;
  readonly spec: Parameters<AnyKind['readout']>[1];
  readonly results: unknown;
  /** The element's attributes that determine which fields the user can change. */
  readonly settings: Settings;
  readonly encodings: readonly EncodingInfo[];
  /** The result of `FigureKind.staticBelow`, if the page includes its styles. */
  readonly contentBelow?: TemplateResult | undefined;
}

const renderFoldedPart = (name: string, title: string): string =>
  `<details class="part-${name}" part="extra ${name}" inert><summary>${title}</summary></details>`;

function renderProof({ kind, results, spec }: ComputedFigure): string {
  const proof = kind.proof(results, spec);
  const residualText = STRINGS.residual(proof.quantity, formatNumber(proof.residual), formatNumber(proof.tolerance, { short: true }));
  const summary = `<summary><b>${verdictOf(kind, proof)}</b></summary>`;
  const text = `${escapeMarkup(`${proof.conclusion} ${capitalize(residualText)}.`)} <span class="source">${escapeMarkup(proof.toleranceSource)}</span>`;
  return `<details class="${passes(proof) ? 'proof' : 'proof fails'}" part="extra below" inert>${summary}<p>${text}</p></details>`;
}

const renderReadout = ({ kind, results, spec }: ComputedFigure): string =>
  kind.hasOwnReadout
    ? ''
    : `<p class="readout" part="below">${escapeMarkup(kind.readout(results, spec, {}))}</p><p class="caption" part="caption">${escapeMarkup(kind.caption)}</p>`;

function renderActions({ kind, results, spec, settings: { lock } }: ComputedFigure): string {
  const actions = filterUnlockedActions(kind.actions?.(results, spec) ?? [], lock);
  const hint = kind.dragging && !lock.includes(kind.dragging.field) ? kind.dragging.hint(results, spec) : undefined;
  const playButton = kind.playback ? `<button type="button" class="play" disabled>${STRINGS.play}</button>` : '';
  if (actions.length === 0 && hint === undefined && !playButton) return '';
  const buttons = actions.map(
    ({ label, keys: [key] = [] }) =>
      `<button type="button" disabled>${escapeMarkup(label)}${key ? ` <kbd>${escapeMarkup(key)}</kbd>` : ''}</button>`,
  );
  return `<div class="actions" part="below">${playButton}${hint === undefined ? '' : `<span class="hint">${escapeMarkup(hint)}</span>`}${buttons.join('')}</div>`;
}

const renderFileButtons = ({ kind }: ComputedFigure): string =>
  kind.files
    ? `<div class="file-input" part="below">${kind.files.buttons.map((label) => `<button type="button" disabled>${escapeMarkup(label)}</button>`).join('')}<span class="hint">${escapeMarkup(kind.files.hint)}</span></div>`
    : '';

const renderContentBelow = ({ contentBelow }: ComputedFigure): string =>
  contentBelow ? `<div class="surface">${toStaticHtml(contentBelow)}</div>` : '';

/**
 * Renders the controls listed in `controls`, and a collapsed section for the others if `hasMore` is set. Without a list, all controls are
 * in the collapsed section.
 */
function renderControls({ kind, spec, settings, encodings }: ComputedFigure): { shownControls: string; foldedControls: string } {
  const { lock, controls, hasMore } = settings;
  const hasFoldedControls = (!controls || hasMore) && hasControls(kind, [...lock, ...(controls ?? [])]);
  const foldedControls = hasFoldedControls ? renderFoldedPart('controls', STRINGS.controls) : '';
  if (!controls) return { shownControls: '', foldedControls };
  const controlList = renderFieldControls({ kind, values: spec, encodings }, { included: controls, locked: lock, set() {} });
  return {
    shownControls: controlList.length > 0 ? toStaticHtml(html`<div class="controls">${controlList}</div>`) : '',
    foldedControls,
  };
}

/** A figure's HTML without its styles and picture. */
export interface TagParts {
  readonly startTag: string;
  /** The shadow root's content after the <style> element, as the live figure renders it. */
  readonly shadowContent: string;
}

export function renderTagParts(computedFigure: ComputedFigure): TagParts {
  const { kind, spec } = computedFigure;
  const { shownControls, foldedControls } = renderControls(computedFigure);
  const shadowContent = [
    `<figure><figcaption part="heading"><p class="question" part="question">${escapeMarkup(kind.question)}</p>`,
    `<p class="instruction" part="instruction">${escapeMarkup(kind.instruction)}</p></figcaption><div class="picture"><slot></slot>${renderContentBelow(computedFigure)}</div>${renderReadout(computedFigure)}`,
    `${renderActions(computedFigure)}${shownControls}${renderFileButtons(computedFigure)}<div class="extras" part="extras">${renderProof(computedFigure)}${foldedControls}${renderFoldedPart('table', STRINGS.table)}${renderFoldedPart('export', STRINGS.export)}</div></figure>`,
  ].join('');
  return { startTag: printTag(kind, spec).replace('</phasor-figure>', ''), shadowContent };
}

export const renderShadowRoot = (content: string, style: string): string =>
  `<template shadowrootmode="open"><style>${style}</style>${content}</template>`;

/**
 * Renders a complete figure. The SVG element precedes the shadow root, because a picture that is parsed later would shift the content below
 * it.
 */
export function renderFigureTag({
  svg,
  theme,
  ...computedFigure
}: ComputedFigure & { readonly svg: string; readonly theme: 'light' | 'dark' }): string {
  const { startTag, shadowContent } = renderTagParts(computedFigure);
  return `${startTag.replace(/>$/, ` data-theme="${theme}">`)}${svg}${renderShadowRoot(shadowContent, FIGURE_STYLE)}</phasor-figure>`;
}
