// Renders the figure's HTML elements: handles over the picture that can be dragged or moved with the keyboard, and
// containers for the content below the picture.
import { html, render, type TemplateResult } from 'lit';
import { entryAt } from '../../../charts/entry-at.ts';
import type { Box } from '../../../charts/picture.ts';
import type { Rotation } from '../../compute/rotation.ts';
import { computeHands, computeKnobCenters, computeKnobRadius, formatPosition, formatScore } from './dial.ts';
import type { Spec } from './fields.ts';
import { getLineRange, type RotationLayout, TILE_GAP } from './layout.ts';
import { barBox, tileBox } from './line.ts';
import type { Handle, RotationView } from './picture.ts';
import { strings } from './strings.ts';

export type FindElement = (selector: string) => HTMLElement;

/** Must be called only once, because the elements contain canvases and must not be replaced during a drag. */
export function renderStage(element: HTMLElement, canMove: (handle: Handle) => boolean): FindElement {
  const knobHandle = (name: Handle): TemplateResult =>
    html`<div class="handle knob" data-held=${name} aria-hidden="true" ?data-fixed=${!canMove(name)}></div>`;
  const sliderHandle = (name: Handle, kind: string): TemplateResult =>
    html`<div class=${`handle ${kind}`} data-held=${name} role="slider" tabindex="0" aria-label=${strings[name]} aria-describedby="hand-keys"
      ?data-fixed=${!canMove(name)}></div>`;
  render(
    html`<div class="stage"><div class="drawing"></div>${knobHandle('key')}${knobHandle('query')}
        <div class="line"></div>${sliderHandle('query', 'tile')}${sliderHandle('both', 'bar')}${sliderHandle('key', 'tile')}</div>
      <div class="row"></div>
      <div class="pairs" hidden><div class="clocks"></div><div class="choices"></div></div><div class="more"></div>
      <div class="hidden" id="hand-keys">${strings.keyboardHelp}</div>`,
    element,
  );
  return (selector) => element.querySelector<HTMLElement>(selector) as HTMLElement;
}

function applyBox({ style }: HTMLElement, { x, y, width, height }: Box): void {
  style.transform = `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px)`;
  style.width = `${width.toFixed(2)}px`;
  style.height = `${height}px`;
}

export function placeHandles(
  findElement: FindElement,
  results: Rotation,
  { currentState, pair }: RotationView,
  { dial, line }: RotationLayout,
): void {
  const hands = computeHands(results, currentState, pair);
  const handleRadius = Math.max(24, computeKnobRadius(dial) + 8);
  const knobs = computeKnobCenters(dial, hands, entryAt(results.maxLengths, pair));
  for (const name of ['query', 'key'] as const) {
    const { x, y } = knobs[name];
    applyBox(findElement(`.knob[data-held="${name}"]`), {
      x: x - handleRadius,
      y: y - handleRadius,
      width: 2 * handleRadius,
      height: 2 * handleRadius,
    });
    applyBox(findElement(`.tile[data-held="${name}"]`), tileBox(line, name, currentState[name]));
  }
  applyBox(findElement('.bar'), barBox(line, currentState.query, currentState.key));
}

export function placeLine(findElement: FindElement, { left: x, width, y, tile, barHeight }: RotationLayout['line']): void {
  const halfHeight = barHeight / 2 + TILE_GAP + tile.height;
  applyBox(findElement('.line'), { x, y: y - halfHeight, width, height: 2 * halfHeight });
}

/** Sets the accessible values to the computed positions, so that they do not change during animations. */
export function setAriaValues(findElement: FindElement, { currentState }: Rotation, spec: Spec, { pair }: RotationView): void {
  const { query, key } = currentState;
  const [first, last] = getLineRange(spec);
  const score = formatScore(entryAt(currentState.scores, pair));
  const distance = Math.abs(query - key);
  for (const [name, currentValue, maximum, text] of [
    ['query', query, last, strings.handleValue(formatPosition(query), score)],
    ['key', key, last, strings.handleValue(formatPosition(key), score)],
    [
      'both',
      Math.min(query, key),
      Math.max(first, last - distance),
      strings.bothHandlesValue(formatPosition(query), formatPosition(key), score),
    ],
  ] as const) {
    const sliderElement = findElement(`[role="slider"][data-held="${name}"]`);
    const ariaValues = { valuemin: first, valuemax: maximum, valuenow: currentValue, valuetext: text };
    for (const [attribute, value] of Object.entries(ariaValues)) sliderElement.setAttribute(`aria-${attribute}`, String(value));
  }
}
