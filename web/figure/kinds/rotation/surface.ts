// The figure on the page: the picture of where query and key are now, under hands, tiles and a bar that are dragged or moved by keys.
import { computed, signal } from '@preact/signals-core';
import { html, nothing, render, type TemplateResult, unsafeCSS } from 'lit';
import { entryAt } from '../../../views/entry-at.ts';
import type { Box } from '../../../views/picture.ts';
import { mountPicture } from '../../../views/render/screen.ts';
import type { LiveFigure, Stage } from '../../contract/kind.ts';
import type { Rotation } from '../../numbers/rotation-numbers.ts';
import { drawing } from '../../runtime/scene-source.ts';
import { positionText, scoreText } from './degrees.ts';
import { knobRadius, tipOf } from './dial.ts';
import type { fields, Spec } from './fields.ts';
import { handsOf } from './hands.ts';
import type { Drawn } from './index.ts';
import { rangeOf, TILE_GAP } from './layout.ts';
import { barBox, tileBox } from './line.ts';
import type { Moves } from './moves.ts';
import { descriptionOf, type Held, layoutFor, rotationPicture, type Shown, shownPair } from './picture.ts';
import { speedOf } from './rows.ts';
import style from './surface.css?inline';
import { words } from './words.ts';

const sheet = unsafeCSS(style);
const PLAY = html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 1.5v13l11-6.5z" /></svg>`;
const PAUSE = html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 2h3.6v12H3zM9.4 2H13v12H9.4z" /></svg>`;
const NAMES: { readonly [held in Held]: string } = { query: words.query, key: words.key, both: words.both };

export function rotationSurface(
  figure: LiveFigure<typeof fields, Drawn>,
  { element, width, maxHeight, look, announce, broken }: Stage,
): () => void {
  const latest = figure.computed;
  /** What hands do comes after the first picture. */
  const moves = signal<Moves | undefined>(undefined);
  const canMove = (held: Held): boolean =>
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
  const canShow = !figure.locked.includes('show');
  const canChoose = !figure.locked.includes('pair');

  // Not an element: a policy for content may forbid those.
  const sheets = (element.getRootNode() as ShadowRoot).adoptedStyleSheets;
  sheets.push(sheet.styleSheet as CSSStyleSheet);
  const held = (name: Held, kind: string): TemplateResult =>
    html`<div class=${`handle ${kind}`} data-held=${name} role="slider" tabindex="0" aria-label=${NAMES[name]} aria-describedby="hand-keys"></div>`;
  // Made once: the canvas is in it, and what is dragged must stay.
  render(
    html`<div class="stage"><div class="drawing"></div>
        <div class="handle knob" data-held="key" aria-hidden="true"></div><div class="handle knob" data-held="query" aria-hidden="true"></div>
        <div class="line"></div>${held('query', 'tile')}${held('both', 'bar')}${held('key', 'tile')}</div>
      <div class="row"></div>
      <div class="pairs" hidden><div class="clocks"></div><div class="choices"></div></div><div class="more"></div>
      <div class="hidden" id="hand-keys">${words.keys}</div>`,
    element,
  );
  const part = (name: string): HTMLElement => element.querySelector<HTMLElement>(name) as HTMLElement;
  const mounted = mountPicture(part('.drawing'));
  const clocks = mountPicture(part('.clocks'));
  for (const name of ['query', 'key', 'both'] as const)
    for (const one of element.querySelectorAll(`[data-held="${name}"]`)) one.toggleAttribute('data-fixed', !canMove(name));

  const place = (name: string, { x, y, width: wide, height }: Box): void => {
    const { style: own } = part(name);
    own.transform = `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px)`;
    own.width = `${wide.toFixed(2)}px`;
    own.height = `${height}px`;
  };
  function follow(numbers: Rotation, { standing, pair }: Shown, made: NonNullable<typeof layout.value>): void {
    const { dial, line } = made;
    const hands = handsOf(numbers, standing, pair);
    const grip = Math.max(24, knobRadius(dial) + 8);
    for (const name of ['query', 'key'] as const) {
      const { x, y } = tipOf(dial, hands[name], entryAt(numbers.reaches, pair));
      place(`.knob[data-held="${name}"]`, { x: x - grip, y: y - grip, width: 2 * grip, height: 2 * grip });
      place(`.tile[data-held="${name}"]`, tileBox(line, name, standing[name]));
    }
    place('.bar', barBox(line, standing.query, standing.key));
  }
  /** What each is at, for those who do not see it: as it is set, not while it moves. */
  function values(numbers: Rotation, spec: Spec, shown: Shown): void {
    const { query, key } = numbers.standing;
    const [first, last] = rangeOf(spec);
    const score = scoreText(entryAt(numbers.standing.scores, shown.pair));
    const away = Math.abs(query - key);
    for (const [name, now, most, text] of [
      ['query', query, last, words.valueText(positionText(query), score)],
      ['key', key, last, words.valueText(positionText(key), score)],
      ['both', Math.min(query, key), Math.max(first, last - away), words.bothText(positionText(query), positionText(key), score)],
    ] as const) {
      const one = part(`[role="slider"][data-held="${name}"]`);
      const said = { valuemin: first, valuemax: most, valuenow: now, valuetext: text };
      for (const [attribute, value] of Object.entries(said)) one.setAttribute(`aria-${attribute}`, String(value));
    }
  }

  function row(): TemplateResult | typeof nothing {
    const now = latest.value;
    if (!now) return nothing;
    const pairs = now.numbers.channels.length;
    const isOpen = now.spec.show !== 'one_pair';
    const next = isOpen ? 'one_pair' : pairs === 1 ? 'three_ways' : 'all_pairs';
    const label = pairs === 1 ? (isOpen ? words.noWays : words.threeWays) : isOpen ? words.onePair : words.allPairs(pairs);
    const isSliding = moves.value?.isSliding.value ?? false;
    return html`${
      canMove('both')
        ? html`<button type="button" class="play" @click=${() => moves.peek()?.slide()}>${isSliding ? PAUSE : PLAY}${isSliding ? words.pause : words.slide}</button>`
        : nothing
    }${
      canShow ? html`<button type="button" @click=${() => figure.change({ show: next })}>${label}</button>` : nothing
    }<span class="hint" aria-hidden="true">${words.hint}</span>`;
  }

  function choices(): TemplateResult | typeof nothing {
    const now = latest.value;
    const shown = state.value;
    const made = panel.value;
    if (!now || !shown || !made || !canChoose || made.cells.length === 0) return nothing;
    const { standing, pair } = shown;
    return html`<div role="radiogroup" aria-label=${words.pairs}>${made.cells.map(
      ({ x, y, width: wide, height }, index) =>
        html`<label class="clock" .style=${`left: ${x}px; top: ${y}px; width: ${wide}px; height: ${height}px`}><input type="radio" name="pair"
          .checked=${index === pair} aria-label=${words.clock(index, scoreText(entryAt(standing.scores, index)), speedOf(now.numbers, index))}
          @change=${() => figure.change({ pair: index })}></label>`,
    )}</div>`;
  }
  function more(): TemplateResult | typeof nothing {
    const now = latest.value;
    if (!now || !canShow || now.spec.show === 'one_pair' || now.numbers.channels.length === 1) return nothing;
    const isOpen = now.spec.show === 'three_ways';
    const next = isOpen ? 'all_pairs' : 'three_ways';
    return html`<button type="button" class="ways" @click=${() => figure.change({ show: next })}>${isOpen ? words.noWays : words.threeWays}</button>`;
  }

  /** A canvas is not drawn again by itself when letters have come. */
  const letters = signal(0);
  const { fonts } = element.ownerDocument;
  let isOver = false;
  import('./handles.ts').then(({ handles }) => {
    if (isOver) return;
    moves.value = handles(part('.stage'), { figure, layout, canMove, announce });
    part('.stage').dataset.live = '';
  }, broken);
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
      follow(now.numbers, shown, made);
    }, broken),
    drawing(() => {
      const made = panel.value;
      const host = part('.pairs');
      host.hidden = made === undefined;
      if (!made) return;
      const picture = { width: width.value, height: made.height, title: words.pairs, description: '', rasters: [], marks: made.marks };
      clocks.update(picture, { ...look.value });
    }, broken),
    drawing(() => {
      const now = latest.value;
      const shown = state.value;
      if (now && shown) values(now.numbers, now.spec, shown);
    }, broken),
    drawing(() => {
      const made = layout.value;
      if (!made) return;
      const { left: x, width: wide, y, tile, bar } = made.line;
      const half = bar / 2 + TILE_GAP + tile.height;
      place('.line', { x, y: y - half, width: wide, height: 2 * half });
    }, broken),
    drawing(() => render(row(), part('.row')), broken),
    drawing(() => render(choices(), part('.choices')), broken),
    drawing(() => render(more(), part('.more')), broken),
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
