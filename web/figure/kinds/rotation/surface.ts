// Displays the picture of the current state, with handles over it that can be dragged or moved with the keyboard.
import { computed, signal } from '@preact/signals-core';
import { html, nothing, render, type TemplateResult, unsafeCSS } from 'lit';
import { entryAt } from '../../../charts/entry-at.ts';
import type { Box } from '../../../charts/picture.ts';
import { mountPicture } from '../../../charts/render/screen.ts';
import { type Cursor, stepIndex } from '../../../charts/scene.ts';
import type { Rotation } from '../../compute/rotation.ts';
import type { LiveFigure, SurfaceContainer } from '../../contract/kind.ts';
import { drawOnChange } from '../../runtime/scene-source.ts';
import playButton from '../../surface/play-button.css?inline';
import { formatScore } from './dial.ts';
import type { fields, Spec } from './fields.ts';
import type { RotationWithPanel } from './index.ts';
import { type RotationLayout, TILE_GAP } from './layout.ts';
import type { Moves } from './moves.ts';
import type { Panel } from './panel.ts';
import { describeRotation, drawRotation, getShownPair, type Handle, layoutForSpec, type RotationView } from './picture.ts';
import { formatSpeed } from './rows.ts';
import { placeHandles, placeLine, renderStage, setAriaValues } from './stage.ts';
import { strings } from './strings.ts';
import style from './surface.css?inline';

const PLAY_ICON = html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 1.5v13l11-6.5z" /></svg>`;
const PAUSE_ICON = html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 2h3.6v12H3zM9.4 2H13v12H9.4z" /></svg>`;

type RotationFigure = LiveFigure<typeof fields, Rotation>;
type Rendered = TemplateResult | typeof nothing;

const canTogglePanel = ({ locked }: RotationFigure): boolean => !locked.includes('show');

export function renderButtons(figure: RotationFigure, canSlide: boolean, moves: Moves | undefined): Rendered {
  const latestResult = figure.computed.value;
  if (!latestResult) return nothing;
  const pairCount = latestResult.results.channels.length;
  const isOpen = latestResult.spec.show !== 'one_pair';
  const nextShow = isOpen ? 'one_pair' : pairCount === 1 ? 'three_ways' : 'all_pairs';
  const label =
    pairCount === 1 ? (isOpen ? strings.hideForms : strings.showForms) : isOpen ? strings.showOnePair : strings.showAllPairs(pairCount);
  const isSliding = moves?.isSliding.value ?? false;
  return html`${
    canSlide
      ? html`<button type="button" class="play" @click=${() => moves?.slide()}>${isSliding ? PAUSE_ICON : PLAY_ICON}${isSliding ? strings.pause : strings.slide}</button>`
      : nothing
  }${
    canTogglePanel(figure) ? html`<button type="button" @click=${() => figure.change({ show: nextShow })}>${label}</button>` : nothing
  }<span class="hint" aria-hidden="true">${strings.keyboardHint}</span>`;
}

export function renderPairChoices(figure: RotationFigure, view: RotationView | undefined, panel: Panel | undefined): Rendered {
  const results = figure.computed.value?.results;
  if (!results || !view || !panel?.clockBoxes.length || figure.locked.includes('pair')) return nothing;
  const { currentState, pair } = view;
  return html`<div role="radiogroup" aria-label=${strings.pairChoice}>${panel.clockBoxes.map(
    ({ x, y, width, height }, index) =>
      html`<label class="clock" .style=${`left: ${x}px; top: ${y}px; width: ${width}px; height: ${height}px`}><input type="radio" name="pair"
          .checked=${index === pair} aria-label=${strings.clockLabel(index, formatScore(entryAt(currentState.scores, index)), formatSpeed(results, index))}
          @change=${() => figure.change({ pair: index })}></label>`,
  )}</div>`;
}

export function renderFormsButton(figure: RotationFigure): Rendered {
  const latestResult = figure.computed.value;
  if (!latestResult || !canTogglePanel(figure) || latestResult.spec.show === 'one_pair' || latestResult.results.channels.length === 1)
    return nothing;
  const isOpen = latestResult.spec.show === 'three_ways';
  const nextShow = isOpen ? 'all_pairs' : 'three_ways';
  return html`<button type="button" class="forms" @click=${() => figure.change({ show: nextShow })}>${isOpen ? strings.hideForms : strings.showForms}</button>`;
}

const sheet = unsafeCSS(`${playButton}${style}`);

export function rotationSurface(
  figure: LiveFigure<typeof fields, RotationWithPanel>,
  { element, width, maxHeight, look, announce, reportError }: SurfaceContainer,
): () => void {
  const computedResult = figure.computed;
  /** Undefined until the drag and keyboard handlers are loaded. */
  const moves = signal<Moves | undefined>(undefined);
  const canMove = (handle: Handle): boolean =>
    (handle === 'both' ? (['query', 'key'] as const) : [handle]).every((name) => !figure.locked.includes(name));
  const currentView = computed((): RotationView | undefined => {
    const latestResult = computedResult.value;
    if (!latestResult || moves.value) return moves.value?.displayedView.value;
    return {
      currentState: latestResult.results.currentState,
      previousState: latestResult.results.previousState,
      pair: getShownPair(latestResult, figure.cursor.value),
    };
  });
  const layout = computed(() => {
    const spec = computedResult.value?.spec;
    return spec && width.value >= 40 ? layoutForSpec(spec, width.value, maxHeight.value) : undefined;
  });
  const shownPanel = computed(() => {
    const latestResult = computedResult.value;
    const view = currentView.value;
    return latestResult && view && width.value >= 40
      ? latestResult.results.allPairs?.(latestResult.results, latestResult.spec, view, width.value)
      : undefined;
  });

  // Uses constructed style sheets, because a Content-Security-Policy may forbid style elements.
  const sheets = (element.getRootNode() as ShadowRoot).adoptedStyleSheets;
  sheets.push(sheet.styleSheet as CSSStyleSheet);
  const findElement = renderStage(element, canMove);
  const mountedPicture = mountPicture(findElement('.drawing'));
  const clocks = mountPicture(findElement('.clocks'));

  /** Incremented when fonts have loaded, because the canvas must then be redrawn. */
  const fontLoadCount = signal(0);
  const { fonts } = element.ownerDocument;
  let isDisposed = false;
  import('./handles.ts').then(({ attachHandles }) => {
    if (isDisposed) return;
    moves.value = attachHandles(findElement('.stage'), { figure, layout, canMove, announce });
    findElement('.stage').dataset.live = '';
  }, reportError);
  fonts?.ready.then(() => {
    if (!isDisposed) fontLoadCount.value += 1;
  });
  const disposers = [
    drawOnChange(() => {
      const latestResult = computedResult.value;
      const view = currentView.value;
      const currentLayout = layout.value;
      void fontLoadCount.value;
      if (!latestResult || !view || !currentLayout) return;
      const marks = drawRotation(latestResult.results, currentLayout, view);
      const title = strings.question;
      const picture = {
        width: currentLayout.width,
        height: currentLayout.height,
        title,
        description: describeRotation(latestResult.results, view),
        rasters: [],
        marks,
      };
      // A new palette object forces a redraw even if the marks have not changed.
      mountedPicture.update(picture, { theme: look.value.theme, palette: { ...look.value.palette } });
      placeHandles(findElement, latestResult.results, view, currentLayout);
    }, reportError),
    drawOnChange(() => {
      const currentPanel = shownPanel.value;
      const pairsElement = findElement('.pairs');
      pairsElement.hidden = currentPanel === undefined;
      if (!currentPanel) return;
      const picture = {
        width: width.value,
        height: currentPanel.height,
        title: strings.pairChoice,
        description: '',
        rasters: [],
        marks: currentPanel.marks,
      };
      clocks.update(picture, { ...look.value });
    }, reportError),
    drawOnChange(() => {
      const latestResult = computedResult.value;
      const view = currentView.value;
      if (latestResult && view) setAriaValues(findElement, latestResult.results, latestResult.spec, view);
    }, reportError),
    drawOnChange(() => {
      const currentLayout = layout.value;
      if (currentLayout) placeLine(findElement, currentLayout.line);
    }, reportError),
    drawOnChange(() => render(renderButtons(figure, canMove('both'), moves.value), findElement('.row')), reportError),
    drawOnChange(() => render(renderPairChoices(figure, currentView.value, shownPanel.value), findElement('.choices')), reportError),
    drawOnChange(() => render(renderFormsButton(figure), findElement('.more')), reportError),
  ];
  return () => {
    isDisposed = true;
    for (const dispose of disposers) dispose();
    moves.peek()?.end();
    mountedPicture.dispose();
    clocks.dispose();
    render(nothing, element);
    sheets.splice(sheets.indexOf(sheet.styleSheet as CSSStyleSheet), 1);
  };
}

export interface CursorNavigation {
  hit(x: number, y: number): Cursor | undefined;
  step(cursor: Cursor, right: number, down: number): Cursor;
}

/**
 * Maps points of the picture to the cursor: a point above the line selects a query position, a point below it a key
 * position, and a point on a small dial its channel pair.
 * @param clockBoxes boxes of the small dials, relative to `clocksY`
 */
export function createCursorNavigation(
  spec: Spec,
  pairCount: number,
  { line }: RotationLayout,
  clockBoxes: readonly Box[],
  clocksY: number,
): CursorNavigation {
  const tileOffset = line.barHeight / 2 + TILE_GAP + line.tile.height;
  const pair = Math.min(spec.pair, pairCount - 1);
  return {
    hit(x, y) {
      const clock = clockBoxes.findIndex(
        (box) => x >= box.x && x < box.x + box.width && y >= clocksY + box.y && y < clocksY + box.y + box.height,
      );
      if (clock >= 0) return { pair: clock };
      const position = line.startPosition + Math.round((x - line.x) / (line.pitch || 1));
      if (x < line.left || x > line.left + line.width || Math.abs(y - line.y) > tileOffset || position < 0 || position >= spec.length)
        return undefined;
      return { [y < line.y ? 'query' : 'key']: position };
    },
    step(cursor, right, down) {
      const startPosition = Number.isInteger(spec.query) ? Math.max(0, Math.min(spec.length - 1, spec.query)) : 0;
      return {
        ...cursor,
        pair: right === 0 && cursor.pair === undefined ? pair : stepIndex(cursor.pair, right, pairCount),
        ...(down === 0 ? {} : { query: stepIndex(cursor.query ?? startPosition, down, spec.length) }),
      };
    },
  };
}
