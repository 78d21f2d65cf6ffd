// The first picture: words and arcs as HTML, written when the site is built and shown until the page computes its own.
import { arcBetween, arcOpacity, arcWidth, selfLoop } from '../../views/arcs.ts';
import type { Figure } from '../compute.ts';
import { gridOf } from './place-cursor.ts';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Size of the box in which the loop of a word to itself is drawn, px. */
const LOOP = 104;

function svg(view: string, d: string, weight: number): string {
  const look = `fill="none" stroke="var(--accent)" stroke-width="${arcWidth(weight).toFixed(2)}" opacity="${arcOpacity(weight).toFixed(2)}"`;
  const path = `<path d="${d}" ${look} stroke-linecap="round" vector-effect="non-scaling-stroke"></path>`;
  return `<svg ${view} aria-hidden="true">${path}</svg>`;
}

/**
 * The arcs of the last word. Nobody knows at build time how wide a reader's letters are, so each arc is stretched by the style
 * sheet between the middles of its two words: a grid of the same words, unseen, has two columns a word.
 */
export function firstArcs({ words, weights }: Figure): string {
  const { columns, data } = gridOf(weights);
  const last = words.length - 1;
  const arcs = words.map((_, key) => {
    const weight = data[last * columns + key] as number;
    if (key === last) {
      const { d } = selfLoop({ x: LOOP / 2, y: LOOP }, LOOP);
      return svg(`class="loop" style="grid-column: ${2 * key + 1} / span 2" viewBox="0 0 ${LOOP} ${LOOP}"`, d, weight);
    }
    const { d } = arcBetween({ x: 0, y: 100 }, { x: 100, y: 100 }, 100);
    const stretched = svg('viewBox="0 0 100 100" preserveAspectRatio="none"', d, weight);
    return `<span class="arc" style="grid-column: ${2 * key + 2} / ${2 * last + 2}">${stretched}</span>`;
  });
  const unseen = words.map(
    (word, place) => `<span class="word" style="grid-column: ${2 * place + 1} / span 2" data-word="${escaped(word)}"></span>`,
  );
  return `<div class="first" aria-hidden="true">${[...unseen, ...arcs].join('')}</div>`;
}

/** The words as tiles, the last one chosen. */
export function firstWords({ words }: Figure): string {
  const tile = (word: string, place: number): string =>
    `<li class="tile${place === words.length - 1 ? ' chosen' : ''}"><span class="word">${escaped(word)}</span>` +
    '<span class="stripe"></span><span class="place"></span></li>';
  return `<ol class="words">${words.map(tile).join('')}</ol>`;
}
