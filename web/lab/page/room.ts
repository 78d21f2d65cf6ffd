// Limits the heights of figures, so that the sentence and one large figure fit on the screen together.
import { effect, type Signal } from '@preact/signals-core';
import { LOW_HEIGHT } from '../../figure/contract/kind.ts';
import { chooseSentenceHeight } from './sentence-height.ts';

/** Height in px of everything above the large figure's picture, including its title and caption, on an unscrolled page. */
const HEIGHT_ABOVE = 348;

// Cached, because reading `innerHeight` while elements are created forces a layout of the whole page.
let windowHeight = innerHeight;
addEventListener('resize', () => {
  windowHeight = innerHeight;
});

export const getMaxLargeHeight = (): number => Math.max(300, Math.min(560, windowHeight - HEIGHT_ABOVE));

/** Height in px of the sentence and the question above the picture in a presentation. */
const HEIGHT_ABOVE_PRESENTED = 216;

/** Reference screen size for presentations, in px. On larger screens, everything is scaled up. */
const REFERENCE_SCREEN = { width: 1280, height: 720 };

/** Number of frames after which the zoom is reduced if the picture is still too high. */
const MAX_FRAME_COUNT = 12;

/** Minimum height of a presented picture in px, before scaling. */
const MIN_PICTURE_HEIGHT = 150;

/** Scales labels from 11 px to 18 px. */
const PRESENTED_ZOOM = 18 / 11;

const computePresentScale = (): number => Math.max(1, Math.min(innerWidth / REFERENCE_SCREEN.width, innerHeight / REFERENCE_SCREEN.height));

/** Returns the maximum height of a presented picture in px, before scaling. */
export const computeMaxPresentedHeight = (
  presentedLayout?: string,
  availableHeight = windowHeight - HEIGHT_ABOVE_PRESENTED * computePresentScale(),
): number =>
  Math.max(
    MIN_PICTURE_HEIGHT,
    Math.min(
      presentedLayout ? LOW_HEIGHT - 1 : Number.POSITIVE_INFINITY,
      Math.floor(availableHeight / PRESENTED_ZOOM / computePresentScale()),
    ),
  );

/** Maximum height of the sentence figure in a presentation, in px. */
const PRESENTED_SENTENCE_HEIGHT = 150;

/**
 * Sets the maximum height of the sentence figure, and updates it when a presentation starts or ends.
 * @returns a function that stops the updates
 */
export function limitSentenceHeight(isPresenting: Signal<boolean>): () => void {
  return effect(() =>
    document
      .querySelector('#sentence')
      ?.setAttribute('max-height', String(isPresenting.value ? PRESENTED_SENTENCE_HEIGHT : chooseSentenceHeight(windowHeight))),
  );
}

/**
 * Fits the presented figure into the window by limiting its height and, if necessary, reducing its zoom.
 * @returns a function that stops the updates
 */
export function fitPresented(section: HTMLElement): () => void {
  let zoom = PRESENTED_ZOOM;
  let frameCount = 0;
  const rootStyle = document.documentElement.style;
  const lastElement = document.querySelector('main ph-readout');
  const figure = section.querySelector<HTMLElement>('phasor-figure');
  const applyZoom = (): void => {
    rootStyle.setProperty('--present-scale', String(computePresentScale()));
    section.style.zoom = String(zoom);
  };
  /** Scales down the elements beside the figure if they extend below the window. */
  const fitSideParts = (): void => {
    rootStyle.removeProperty('--present-aside');
    const [top, bottom] = [section.getBoundingClientRect().top, lastElement?.getBoundingClientRect().bottom ?? 0];
    if (bottom > innerHeight - 8)
      rootStyle.setProperty('--present-aside', String(Math.max(0.6, (innerHeight - 8 - top) / (bottom - top) - 0.02)));
  };
  const fitPicture = (): void => {
    fitSideParts();
    const picture = figure?.shadowRoot?.querySelector('.picture')?.getBoundingClientRect();
    // The height of a figure that is not ready will change.
    if (!figure || !picture || figure.dataset.state !== 'ready' || !section.style.zoom) return;
    const heightBelow = section.getBoundingClientRect().bottom - picture.bottom;
    const availableHeight = innerHeight - 8 - heightBelow - Math.max(0, picture.top + scrollY);
    const maxPictureHeight = String(computeMaxPresentedHeight(section.dataset.presented, availableHeight));
    if (figure.getAttribute('max-height') !== maxPictureHeight) {
      figure.setAttribute('max-height', maxPictureHeight);
      // The observer is not called if the picture's size stays the same.
      requestAnimationFrame(fitPicture);
    } else if (picture.height > availableHeight + 1 && zoom > 0.5) {
      frameCount += 1;
      if (frameCount < MAX_FRAME_COUNT) {
        requestAnimationFrame(fitPicture);
        return;
      }
      // The new zoom may change the layout, so the picture is fitted again.
      zoom = Math.max(0.5, zoom * Math.max(0.93, availableHeight / picture.height));
      applyZoom();
      requestAnimationFrame(fitPicture);
    }
  };
  const restartFitting = (): void => {
    frameCount = 0;
    zoom = PRESENTED_ZOOM;
    applyZoom();
    requestAnimationFrame(fitPicture);
  };
  const sizeObserver = new ResizeObserver(fitPicture);
  const stateObserver = new MutationObserver(restartFitting);
  applyZoom();
  addEventListener('resize', restartFitting);
  sizeObserver.observe(section);
  if (figure) stateObserver.observe(figure, { attributeFilter: ['data-state'] });
  return () => {
    sizeObserver.disconnect();
    stateObserver.disconnect();
    removeEventListener('resize', restartFitting);
    section.style.removeProperty('zoom');
    rootStyle.removeProperty('--present-aside');
    figure?.setAttribute('max-height', String(getMaxLargeHeight()));
  };
}
