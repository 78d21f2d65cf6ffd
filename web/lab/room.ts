// How high pictures may be, so that the sentence and one view are in sight together.
import { effect, type Signal } from '@preact/signals-core';
import { folded } from './store.ts';

/** What stands above the large picture on a page that has not been scrolled, its title and caption among it, px. */
const ABOVE = 460;

// Whoever asks a window for its height while parts are being made has the whole page laid out for the answer.
let windowHeight = innerHeight;
addEventListener('resize', () => {
  windowHeight = innerHeight;
});

/** The height of the large picture at most, px. */
export const largeHeight = (): number => Math.max(260, Math.min(520, windowHeight - ABOVE));

/** What stands above the picture that is presented, px: the sentence, the story, what to see, the question. */
const PRESENTED_BELOW = 330;

/** Labels of 11 px become 18 px. */
export const PRESENTED_ZOOM = 1.64;

/** The height at most of the picture that is presented, px before it is enlarged. */
export const presentedHeight = (): number => Math.max(150, Math.floor((windowHeight - PRESENTED_BELOW) / PRESENTED_ZOOM));

/** Arcs are lower where the window is low, and where a lecture needs the room. */
const sentenceHeight = (presenting: boolean): number => (presenting ? 150 : folded.value && windowHeight < 800 ? 166 : 206);

/** Keeps the height of the sentence. @returns ends it */
export function followRoom(presenting: Signal<boolean>): () => void {
  return effect(() => document.querySelector('#sentence')?.setAttribute('max-height', String(sentenceHeight(presenting.value))));
}

/** Makes what is presented smaller until nothing scrolls. @returns ends it */
export function fitPresented(section: HTMLElement): () => void {
  let zoom = PRESENTED_ZOOM;
  const figure = section.querySelector<HTMLElement>('phasor-figure');
  const fit = (): void => {
    // Before its picture is there a figure has a height of its own.
    if (figure?.dataset.state !== 'ready') return;
    const { top, height } = section.getBoundingClientRect();
    const room = innerHeight - Math.max(0, top + scrollY) - 8;
    if (height <= room || zoom <= 0.5) return;
    // In the width that this gives, parts may stand beside each other: it is repeated with what comes of it.
    zoom = Math.max(0.5, zoom * Math.max(0.93, room / height));
    section.style.zoom = String(zoom);
  };
  const sizes = new ResizeObserver(fit);
  const states = new MutationObserver(() => requestAnimationFrame(fit));
  section.style.zoom = String(zoom);
  sizes.observe(section);
  if (figure) states.observe(figure, { attributeFilter: ['data-state'] });
  return () => {
    sizes.disconnect();
    states.disconnect();
    section.style.removeProperty('zoom');
  };
}
