// Renders arrows that the user can drag or move with the keyboard, and buttons for preset matrices.
import { computed, effect } from '@preact/signals-core';
import { html, nothing, render, type TemplateResult, unsafeCSS } from 'lit';
import { entryAt } from '../../../charts/entry-at.ts';
import { formatNumber } from '../../../charts/number.ts';
import { mountPicture } from '../../../charts/render/screen.ts';
import { isLowHeight, type LiveFigure, type SurfaceContainer } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import { drawOnChange } from '../../runtime/scene-source.ts';
import choiceRow from '../../surface/choice-row.css?inline';
import { getPointerPosition } from '../../surface/pointer-place.ts';
import { ENTRIES_PER_MATRIX, type MatrixScores } from './compute.ts';
import type { fields } from './index.ts';
import { PRESETS, roundEntry } from './presets.ts';
import { layoutDials, MAX_ENTRY, matricesScene, toPixels, verdictTexts } from './scene.ts';
import { strings } from './strings.ts';
import style from './surface.css?inline';

/** Distance from the unit circle within which the tip of an arrow snaps to the circle. */
const SNAP_DISTANCE = 0.1;
/** Arrows on the unit circle snap to multiples of this angle, degrees. */
const ANGLE_STEP = 5;
const LENGTH_STEP = 0.05;
const RADIANS_PER_DEGREE = Math.PI / 180;

interface Arrow {
  readonly position: number;
  readonly column: number;
}
const ARROWS: readonly Arrow[] = [1, 2, 3].flatMap((position) => [0, 1].map((column) => ({ position, column })));

/** Returns the index of an arrow's x coordinate in the `matrices` field. The y coordinate is two entries later. */
const getEntryIndex = ({ position, column }: Arrow): number => ENTRIES_PER_MATRIX * (position - 1) + column;

const sheet = unsafeCSS(`${choiceRow}${style}`);

export function matricesSurface(
  figure: LiveFigure<typeof fields, MatrixScores>,
  { element, width, maxHeight, look, announce, reportError }: SurfaceContainer,
): () => void {
  const requestedSpec = computed(() => {
    const spec = figure.spec.value;
    return spec instanceof SpecError ? figure.computed.value?.spec : spec;
  });
  const layout = computed(() => (width.value >= 40 ? layoutDials(width.value, maxHeight.value) : undefined));
  const scene = computed(() => {
    const currentResult = figure.computed.value;
    if (!currentResult || width.value < 40) return undefined;
    return matricesScene(currentResult.results, { width: width.value, maxHeight: maxHeight.value, theme: look.value.theme });
  });
  const isFixed = figure.locked.includes('matrices');
  const sheets = (element.getRootNode() as ShadowRoot).adoptedStyleSheets;
  sheets.push(sheet.styleSheet as CSSStyleSheet);
  const arrowHandle = ({ position, column }: Arrow): TemplateResult =>
    html`<div class="tip" role="slider" tabindex="0" aria-label=${strings.arrowLabel(position, column)} aria-describedby="arrow-keys"
      aria-valuemin="-180" aria-valuemax="180" data-position=${position} data-column=${column} ?data-fixed=${isFixed}
      aria-disabled=${isFixed ? 'true' : nothing}></div>`;
  // Renders the stage only once, because it contains the canvas.
  render(
    html`<div class="stage"><div class="drawing"></div>${ARROWS.map(arrowHandle)}</div>
      <div class="row" role="group" aria-label=${strings.presetsLabel}></div><div class="hidden" id="arrow-keys">${strings.keyboardHelp}</div>`,
    element,
  );
  const findElement = (selector: string): HTMLElement => element.querySelector<HTMLElement>(selector) as HTMLElement;
  const stage = findElement('.stage');
  const mountedPicture = mountPicture(findElement('.drawing'));

  /** Whether to announce the verdict when the results for the latest change arrive. */
  let isVerdictPending = false;
  const setArrow = (arrow: Arrow, x: number, y: number): void => {
    const spec = requestedSpec.peek();
    if (!spec || isFixed) return;
    const matrices = [...spec.matrices];
    const clampEntry = (value: number): number => roundEntry(Math.max(-MAX_ENTRY, Math.min(MAX_ENTRY, value)));
    matrices[getEntryIndex(arrow)] = clampEntry(x);
    matrices[getEntryIndex(arrow) + 2] = clampEntry(y);
    figure.change({ matrices });
  };
  const getArrowTip = (arrow: Arrow): readonly [number, number] => {
    const { matrices } = requestedSpec.peek() as { matrices: readonly number[] };
    return [entryAt(matrices, getEntryIndex(arrow)), entryAt(matrices, getEntryIndex(arrow) + 2)];
  };
  const findArrow = (target: EventTarget | null): Arrow | undefined => {
    const { position, column } = (target as HTMLElement | null)?.dataset ?? {};
    return position === undefined ? undefined : { position: Number(position), column: Number(column) };
  };

  let draggedArrow: Arrow | undefined;
  const handlePointerMove = (event: PointerEvent): void => {
    const dial = draggedArrow && layout.peek()?.dials[draggedArrow.position];
    if (!draggedArrow || !dial) return;
    const [px, py] = getPointerPosition(stage, event);
    const [x0, y0] = toPixels(dial, 0, 0);
    const unitLength = toPixels(dial, 1, 0)[0] - x0;
    const [x, y] = [(px - x0) / unitLength, (y0 - py) / unitLength];
    if (Math.abs(Math.hypot(x, y) - 1) > SNAP_DISTANCE) setArrow(draggedArrow, x, y);
    else {
      const angle = Math.round(Math.atan2(y, x) / RADIANS_PER_DEGREE / ANGLE_STEP) * ANGLE_STEP * RADIANS_PER_DEGREE;
      setArrow(draggedArrow, Math.cos(angle), Math.sin(angle));
    }
  };
  const handlePointerDown = (event: PointerEvent): void => {
    const arrow = findArrow(event.target);
    if (!arrow || event.button !== 0 || !event.isPrimary || isFixed) return;
    event.preventDefault();
    (event.target as HTMLElement).focus({ preventScroll: true });
    stage.setPointerCapture(event.pointerId);
    draggedArrow = arrow;
  };
  const handlePointerUp = (): void => {
    if (!draggedArrow) return;
    draggedArrow = undefined;
    isVerdictPending = true;
    const currentResult = figure.computed.peek();
    if (currentResult) announce(verdictTexts(currentResult.results).join('. '));
  };
  const handleKeyDown = (event: KeyboardEvent): void => {
    const arrow = findArrow(event.target);
    if (!arrow || event.altKey || event.ctrlKey || event.metaKey || isFixed) return;
    const angleStep = { ArrowLeft: ANGLE_STEP, ArrowRight: -ANGLE_STEP }[event.key] ?? 0;
    const lengthStep = { ArrowUp: LENGTH_STEP, ArrowDown: -LENGTH_STEP }[event.key] ?? 0;
    if (angleStep === 0 && lengthStep === 0) return;
    event.preventDefault();
    const [x, y] = getArrowTip(arrow);
    const angle = Math.atan2(y, x) + angleStep * RADIANS_PER_DEGREE;
    const length = Math.max(LENGTH_STEP, Math.hypot(x, y) + lengthStep);
    isVerdictPending = true;
    setArrow(arrow, length * Math.cos(angle), length * Math.sin(angle));
  };
  const abortController = new AbortController();
  const listenerOptions = { signal: abortController.signal };
  stage.addEventListener('pointerdown', handlePointerDown, listenerOptions);
  stage.addEventListener('pointermove', handlePointerMove, listenerOptions);
  stage.addEventListener('pointerup', handlePointerUp, listenerOptions);
  stage.addEventListener('pointercancel', handlePointerUp, listenerOptions);
  stage.addEventListener('keydown', handleKeyDown, listenerOptions);

  const disposers = [
    drawOnChange(() => {
      const currentScene = scene.value;
      if (!currentScene) return;
      mountedPicture.update(currentScene.picture, { theme: look.value.theme, palette: { ...look.value.palette } });
    }, reportError),
    drawOnChange(() => {
      const currentLayout = layout.value;
      if (!currentLayout || !requestedSpec.value) return;
      for (const arrow of ARROWS) {
        const dial = currentLayout.dials[arrow.position];
        const handle = findElement(`[data-position="${arrow.position}"][data-column="${arrow.column}"]`);
        const [x, y] = getArrowTip(arrow);
        if (!dial) continue;
        const [left, top] = toPixels(dial, x, y);
        handle.style.transform = `translate(${left.toFixed(2)}px, ${top.toFixed(2)}px)`;
        const degrees = Math.round(Math.atan2(y, x) / RADIANS_PER_DEGREE);
        const text = strings.arrowValue(formatNumber(x), formatNumber(y), degrees, formatNumber(Math.hypot(x, y)));
        handle.setAttribute('aria-valuenow', String(degrees));
        handle.setAttribute('aria-valuetext', text);
      }
    }, reportError),
    drawOnChange(() => {
      // Low figures have no space for the preset buttons.
      findElement('.row').hidden = isLowHeight(maxHeight.value);
    }, reportError),
    drawOnChange(() => {
      const currentMatrices = requestedSpec.value?.matrices.join();
      const buttons = PRESETS.map(
        ({ label, matrices }) =>
          html`<button type="button" aria-pressed=${matrices.join() === currentMatrices ? 'true' : 'false'} @click=${() => {
            isVerdictPending = true;
            figure.change({ matrices });
          }}>${label}</button>`,
      );
      render(isFixed ? nothing : buttons, findElement('.row'));
    }, reportError),
    effect(() => {
      const currentResult = figure.computed.value;
      if (!currentResult || !isVerdictPending || draggedArrow) return;
      isVerdictPending = false;
      announce(verdictTexts(currentResult.results).join('. '));
    }),
  ];
  return () => {
    for (const dispose of disposers) dispose();
    abortController.abort();
    mountedPicture.dispose();
    render(nothing, element);
    sheets.splice(sheets.indexOf(sheet.styleSheet as CSSStyleSheet), 1);
  };
}
