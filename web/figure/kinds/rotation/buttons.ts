// What is chosen below the picture: to slide both, what is shown behind a button, and one of all pairs.
import { html, nothing, type TemplateResult } from 'lit';
import { entryAt } from '../../../charts/entry-at.ts';
import type { Rotation } from '../../compute/rotation-numbers.ts';
import type { LiveFigure } from '../../contract/kind.ts';
import { scoreText } from './degrees.ts';
import type { fields } from './fields.ts';
import type { Moves } from './moves.ts';
import type { Panel } from './panel.ts';
import type { Shown } from './picture.ts';
import { speedOf } from './rows.ts';
import { words } from './strings.ts';

const PLAY = html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 1.5v13l11-6.5z" /></svg>`;
const PAUSE = html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 2h3.6v12H3zM9.4 2H13v12H9.4z" /></svg>`;

type Live = LiveFigure<typeof fields, Rotation>;
type Made = TemplateResult | typeof nothing;

const canShow = ({ locked }: Live): boolean => !locked.includes('show');

/** Below the picture: slides both, and shows all pairs, or the three ways of the only one. */
export function rowButtons(figure: Live, canSlide: boolean, moves: Moves | undefined): Made {
  const now = figure.computed.value;
  if (!now) return nothing;
  const pairs = now.numbers.channels.length;
  const isOpen = now.spec.show !== 'one_pair';
  const next = isOpen ? 'one_pair' : pairs === 1 ? 'three_ways' : 'all_pairs';
  const label = pairs === 1 ? (isOpen ? words.noWays : words.threeWays) : isOpen ? words.onePair : words.allPairs(pairs);
  const isSliding = moves?.isSliding.value ?? false;
  return html`${
    canSlide
      ? html`<button type="button" class="play" @click=${() => moves?.slide()}>${isSliding ? PAUSE : PLAY}${isSliding ? words.pause : words.slide}</button>`
      : nothing
  }${
    canShow(figure) ? html`<button type="button" @click=${() => figure.change({ show: next })}>${label}</button>` : nothing
  }<span class="hint" aria-hidden="true">${words.hint}</span>`;
}

/** Over the clocks of all pairs. */
export function pairChoices(figure: Live, shown: Shown | undefined, panel: Panel | undefined): Made {
  const numbers = figure.computed.value?.numbers;
  if (!numbers || !shown || !panel?.cells.length || figure.locked.includes('pair')) return nothing;
  const { standing, pair } = shown;
  return html`<div role="radiogroup" aria-label=${words.pairs}>${panel.cells.map(
    ({ x, y, width, height }, index) =>
      html`<label class="clock" .style=${`left: ${x}px; top: ${y}px; width: ${width}px; height: ${height}px`}><input type="radio" name="pair"
          .checked=${index === pair} aria-label=${words.clock(index, scoreText(entryAt(standing.scores, index)), speedOf(numbers, index))}
          @change=${() => figure.change({ pair: index })}></label>`,
  )}</div>`;
}

/** Below all pairs: the chosen one in three ways. */
export function waysButton(figure: Live): Made {
  const now = figure.computed.value;
  if (!now || !canShow(figure) || now.spec.show === 'one_pair' || now.numbers.channels.length === 1) return nothing;
  const isOpen = now.spec.show === 'three_ways';
  const next = isOpen ? 'all_pairs' : 'three_ways';
  return html`<button type="button" class="ways" @click=${() => figure.change({ show: next })}>${isOpen ? words.noWays : words.threeWays}</button>`;
}
