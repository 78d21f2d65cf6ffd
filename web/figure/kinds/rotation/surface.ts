// The figure on the page: the picture of where query and key are now, under hands, tiles and a bar that are dragged or moved by keys.
import { computed, signal } from '@preact/signals-core';
import { nothing, render, unsafeCSS } from 'lit';
import { mountPicture } from '../../../charts/render/screen.ts';
import type { LiveFigure, Stage } from '../../contract/kind.ts';
import { drawing } from '../../runtime/scene-source.ts';
import { pairChoices, rowButtons, waysButton } from './buttons.ts';
import type { fields } from './fields.ts';
import type { Drawn } from './index.ts';
import type { Moves } from './moves.ts';
import { type DragState, descriptionOf, layoutFor, rotationPicture, type Shown, shownPair } from './picture.ts';
import { placeHandles, placeLine, sayValues, stageParts } from './stage.ts';
import { words } from './strings.ts';
import style from './surface.css?inline';

const sheet = unsafeCSS(style);

export function rotationSurface(
  figure: LiveFigure<typeof fields, Drawn>,
  { element, width, maxHeight, look, announce, reportError }: Stage,
): () => void {
  const latest = figure.computed;
  /** What hands do comes after the first picture. */
  const moves = signal<Moves | undefined>(undefined);
  const canMove = (held: DragState): boolean =>
    (held === 'both' ? (['query', 'key'] as const) : [held]).every((name) => !figure.locked.includes(name));
  const state = computed((): Shown | undefined => {
    const now = latest.value;
    if (!now || moves.value) return moves.value?.shown.value;
    return { standing: now.numbers.standing, before: now.numbers.before, pair: shownPair(now, figure.cursor.value) };
  });
  const layout = computed(() => {
    const spec = latest.value?.spec;
    return spec && width.value >= 40 ? layoutFor(spec, width.value, maxHeight.value) : undefined;
  });
  const panel = computed(() => {
    const now = latest.value;
    const shown = state.value;
    return now && shown && width.value >= 40 ? now.numbers.allPairs?.(now.numbers, now.spec, shown, width.value) : undefined;
  });

  // Not an element: a policy for content may forbid those.
  const sheets = (element.getRootNode() as ShadowRoot).adoptedStyleSheets;
  sheets.push(sheet.styleSheet as CSSStyleSheet);
  const part = stageParts(element, canMove);
  const mounted = mountPicture(part('.drawing'));
  const clocks = mountPicture(part('.clocks'));

  /** A canvas is not drawn again by itself when letters have come. */
  const letters = signal(0);
  const { fonts } = element.ownerDocument;
  let isOver = false;
  import('./handles.ts').then(({ handles }) => {
    if (isOver) return;
    moves.value = handles(part('.stage'), { figure, layout, canMove, announce });
    part('.stage').dataset.live = '';
  }, reportError);
  fonts?.ready.then(() => {
    if (!isOver) letters.value += 1;
  });
  const ends = [
    drawing(() => {
      const now = latest.value;
      const shown = state.value;
      const made = layout.value;
      void letters.value;
      if (!now || !shown || !made) return;
      const marks = rotationPicture(now.numbers, made, shown);
      const title = words.question;
      const picture = { width: made.width, height: made.height, title, description: descriptionOf(now.numbers, shown), rasters: [], marks };
      // A palette of its own has it drawn even where the marks are as before.
      mounted.update(picture, { theme: look.value.theme, palette: { ...look.value.palette } });
      placeHandles(part, now.numbers, shown, made);
    }, reportError),
    drawing(() => {
      const made = panel.value;
      const host = part('.pairs');
      host.hidden = made === undefined;
      if (!made) return;
      const picture = { width: width.value, height: made.height, title: words.pairs, description: '', rasters: [], marks: made.marks };
      clocks.update(picture, { ...look.value });
    }, reportError),
    drawing(() => {
      const now = latest.value;
      const shown = state.value;
      if (now && shown) sayValues(part, now.numbers, now.spec, shown);
    }, reportError),
    drawing(() => {
      const made = layout.value;
      if (made) placeLine(part, made.line);
    }, reportError),
    drawing(() => render(rowButtons(figure, canMove('both'), moves.value), part('.row')), reportError),
    drawing(() => render(pairChoices(figure, state.value, panel.value), part('.choices')), reportError),
    drawing(() => render(waysButton(figure), part('.more')), reportError),
  ];
  return () => {
    isOver = true;
    for (const end of ends) end();
    moves.peek()?.end();
    mounted.dispose();
    clocks.dispose();
    render(nothing, element);
    sheets.splice(sheets.indexOf(sheet.styleSheet as CSSStyleSheet), 1);
  };
}
