// How high pictures may be, so that the sentence and one view are in sight together.
import { effect, type Signal } from '@preact/signals-core';
import { LOW } from '../../figure/contract/kind.ts';
import { sentenceHeight } from './sentence-height.ts';

/** The height above the large picture on a page that is not scrolled, with its title and caption, px. */
const ABOVE = 512;

// Asking a window for its height while parts are being made lays out the whole page for the answer.
let windowHeight = innerHeight;
addEventListener('resize', () => {
  windowHeight = innerHeight;
});

/** The height of the large picture at most, px. */
export const largeHeight = (): number => Math.max(260, Math.min(520, windowHeight - ABOVE));

/** The height above the presented picture, px: the sentence and the question. */
const PRESENTED_BELOW = 216;

/** The screen for which presenting is laid out, px; on larger ones everything is larger. */
const SCREEN = { width: 1280, height: 720 };

/** A picture has this many frames to become as low as it was told. */
const PATIENCE = 4;

/** Pictures that are presented are not made lower than this, px before they are enlarged. */
const LOWEST = 150;

/** Labels of 11 px become 18 px. */
const PRESENTED_ZOOM = 18 / 11;

/** By how much what is presented is larger than on the smallest screen. */
const presentScale = (): number => Math.max(1, Math.min(innerWidth / SCREEN.width, innerHeight / SCREEN.height));

/** The height at most of the picture that is presented, px before it is enlarged. */
export const presentedHeight = (presented?: string, room = windowHeight - PRESENTED_BELOW * presentScale()): number =>
  Math.max(LOWEST, Math.min(presented ? LOW - 1 : Number.POSITIVE_INFINITY, Math.floor(room / PRESENTED_ZOOM / presentScale())));

/** The height of the sentence where a lecture needs the room, px. */
const PRESENTED_SENTENCE = 150;

/** Keeps the height of the sentence. @returns ends it */
export function followRoom(presenting: Signal<boolean>): () => void {
  return effect(() =>
    document
      .querySelector('#sentence')
      ?.setAttribute('max-height', String(presenting.value ? PRESENTED_SENTENCE : sentenceHeight(windowHeight))),
  );
}

/** Makes the picture that is presented as high as there is room, and everything smaller where it can not be so low. @returns ends it */
export function fitPresented(section: HTMLElement): () => void {
  let zoom = PRESENTED_ZOOM;
  let waited = 0;
  const root = document.documentElement.style;
  const last = document.querySelector('main ph-readout');
  const figure = section.querySelector<HTMLElement>('phasor-figure');
  const enlarge = (): void => {
    root.setProperty('--present-scale', String(presentScale()));
    section.style.zoom = String(zoom);
  };
  /** Parts beside the view shrink if they would end below the window. */
  const fitAside = (): void => {
    root.removeProperty('--present-aside');
    const [top, bottom] = [section.getBoundingClientRect().top, last?.getBoundingClientRect().bottom ?? 0];
    if (bottom > innerHeight - 8)
      root.setProperty('--present-aside', String(Math.max(0.6, (innerHeight - 8 - top) / (bottom - top) - 0.02)));
  };
  const fit = (): void => {
    fitAside();
    const picture = figure?.shadowRoot?.querySelector('.picture')?.getBoundingClientRect();
    // Before its picture is drawn, a figure has another height.
    if (!figure || !picture || figure.dataset.state !== 'ready' || !section.style.zoom) return;
    const below = section.getBoundingClientRect().bottom - picture.bottom;
    const room = innerHeight - 8 - below - Math.max(0, picture.top + scrollY);
    const most = String(presentedHeight(section.dataset.presented, room));
    if (figure.getAttribute('max-height') !== most) {
      figure.setAttribute('max-height', most);
      // A picture that stays as it is tells of no new size.
      requestAnimationFrame(fit);
    } else if (picture.height > room + 1 && zoom > 0.5) {
      waited += 1;
      if (waited < PATIENCE) {
        requestAnimationFrame(fit);
        return;
      }
      // In the width that this gives, parts may be beside each other: it is repeated with what comes of it.
      zoom = Math.max(0.5, zoom * Math.max(0.93, room / picture.height));
      enlarge();
      requestAnimationFrame(fit);
    }
  };
  const again = (): void => {
    waited = 0;
    zoom = PRESENTED_ZOOM;
    enlarge();
    requestAnimationFrame(fit);
  };
  const sizes = new ResizeObserver(fit);
  const states = new MutationObserver(again);
  enlarge();
  addEventListener('resize', again);
  sizes.observe(section);
  if (figure) states.observe(figure, { attributeFilter: ['data-state'] });
  return () => {
    sizes.disconnect();
    states.disconnect();
    removeEventListener('resize', again);
    section.style.removeProperty('zoom');
    root.removeProperty('--present-aside');
    figure?.setAttribute('max-height', String(largeHeight()));
  };
}
