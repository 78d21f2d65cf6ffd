// The first picture: words and arcs as static HTML, rendered at build time and shown until the page has computed its own.

import { gridOf } from '../../figure/contract/tensor.ts';
import { arcBetween, arcOpacity, arcWidth, selfLoop } from '../../figure/kinds/sentence/arcs.ts';
import type { Numbers } from '../../figure/kinds/sentence/numbers.ts';
import { escaped } from '../../views/escaped.ts';

/** Size of the box of the loop from a word to itself, px. */
const LOOP = 104;

function svg(view: string, d: string, weight: number): string {
  const look = `fill="none" stroke="var(--accent)" stroke-width="${arcWidth(weight).toFixed(2)}" opacity="${arcOpacity(weight).toFixed(2)}"`;
  const path = `<path d="${d}" ${look} stroke-linecap="round" vector-effect="non-scaling-stroke"></path>`;
  return `<svg ${view} aria-hidden="true">${path}</svg>`;
}

/**
 * The arcs of the last word. Glyph widths are unknown at build time, so the style sheet stretches each arc between the centres of its two
 * words, using an invisible grid of the same words with two columns per word.
 */
export function firstArcs({ placed: words, weights }: Pick<Numbers, 'placed' | 'weights'>): string {
  const { columns, data } = gridOf(weights);
  const last = words.length - 1;
  const arcs = words.map((_, key) => {
    const weight = data[last * columns + key] as number;
    if (key === last) {
      const { d } = selfLoop({ x: LOOP / 2, y: LOOP }, LOOP);
      return svg(`class="loop" viewBox="0 0 ${LOOP} ${LOOP}"`, d, weight);
    }
    const { d } = arcBetween({ x: 0, y: 100 }, { x: 100, y: 100 }, 100);
    const stretched = svg('viewBox="0 0 100 100" preserveAspectRatio="none"', d, weight);
    return `<span class="arc arc-${key}">${stretched}</span>`;
  });
  const invisible = words.map((word) => `<span class="word" data-word="${escaped(word)}"></span>`);
  return `<div class="first" aria-hidden="true">${[...invisible, ...arcs].join('')}</div>`;
}

/** Where words and arcs stand in that grid, as a style sheet: a policy for content may forbid the attribute. */
export function firstPlaces({ placed: words }: Pick<Numbers, 'placed'>): string {
  const last = words.length - 1;
  const arcs = words.slice(0, last).map((_, key) => `.first>.arc-${key}{grid-column:${2 * key + 2}/${2 * last + 2}}`);
  const places = words.map((_, place) => `.first>.word:nth-child(${place + 1}){grid-column:${2 * place + 1}/span 2}`);
  return `<style>${[...places, ...arcs].join('')}.first>.loop{grid-column:${2 * last + 1}/span 2}</style>`;
}

/** The words as tiles, the last one selected. */
export function firstWords({ placed: words }: Pick<Numbers, 'placed'>): string {
  const tile = (word: string, place: number): string =>
    `<li class="tile${place === words.length - 1 ? ' chosen' : ''}"><span class="word">${escaped(word)}</span>` +
    '<span class="stripe"></span><span class="place"></span></li>';
  return `<ol class="words">${words.map(tile).join('')}</ol>`;
}
