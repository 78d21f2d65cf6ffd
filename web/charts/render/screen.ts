// Shows a picture on one canvas of the page, rasters below marks, and redraws the canvas only after a change. There are no layers, because the cost
// of a canvas depends on its size, not on its contents.

import type { Mark, Picture, Theme } from '../picture.ts';
import { decimal } from './attributes.ts';
import { drawMarks, sameMarks } from './marks.ts';
import { PALETTES, type Palette } from './palette.ts';
import { rasterLayer } from './rasters.ts';

/** Duration of a transition in ms. */
export const GLIDE = 200;

/** Smoothstep easing from 0 to 1. */
export const ease = (t: number): number => t * t * (3 - 2 * t);

/** Quiet time in ms after which a picture outside the viewport is drawn. */
const PAUSE = 150;

/** A function that interpolates between the marks of two pictures, for t from 0 to 1; undefined if nothing moves. */
export type Glide = (before: readonly Mark[], after: readonly Mark[]) => ((t: number) => readonly Mark[]) | undefined;

export interface ShowOptions {
  readonly theme: Theme;
  /** The colours of marks; default: those of the theme. */
  readonly palette?: Palette;
  /**
   * The function `marksBetween` of glide.ts, which most pictures do not need. It moves keyed marks and rasters to their new places, unless the
   * user prefers reduced motion; by default they appear there immediately.
   */
  readonly glide?: Glide | undefined;
  /** Whether to draw immediately even outside the viewport, as before printing. */
  readonly isUrgent?: boolean;
}

export interface MountedPicture {
  /** Shows a picture. */
  update(picture: Picture, options: ShowOptions): void;
  /** Frees all pixels until the next update, but keeps the size. */
  rest(): void;
  /** Removes everything from the host and stops listening. */
  dispose(): void;
}

/**
 * Mounts a canvas for pictures in `host`, which becomes an image with a label for screen readers.
 * @param heading text that the page announces beside the picture; an equal title is not announced again
 */
export function mountPicture(host: HTMLElement, heading?: string): MountedPicture {
  const canvas = document.createElement('canvas');
  canvas.setAttribute('aria-hidden', 'true');
  host.classList.add('phasor-picture');

  const context = canvas.getContext('2d');
  let rasters = rasterLayer();
  const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
  let shown: { readonly picture: Picture; readonly palette: Palette } | undefined;
  /** The marks as currently drawn, possibly in transition. */
  let marks: readonly Mark[] = [];
  let label = '';
  let frame = 0;
  let isVisible = true;
  let isResting = false;
  /** The timer of a deferred draw. */
  let waiting: ReturnType<typeof setTimeout> | undefined;

  /** The CSS zoom of the picture. */
  let zoom = 1;
  const ratio = (): number => Math.max(1, window.devicePixelRatio || 1) * zoom;
  const draw = (): void => {
    clearTimeout(waiting);
    waiting = undefined;
    if (!context || !shown) return;
    context.clearRect(0, 0, canvas.width, canvas.height);
    rasters.draw(context, ratio());
    drawMarks(context, marks, shown.palette, ratio());
  };

  /** Draws now, or outside the viewport only after changes have paused, so that invisible pictures do not delay visible ones. */
  const drawOrDefer = (): void => {
    if (isVisible) {
      draw();
      return;
    }
    clearTimeout(waiting);
    waiting = setTimeout(draw, PAUSE);
  };
  const visibility = new IntersectionObserver((entries) => {
    const latest = entries.at(-1);
    // An element without a box becomes visible when it gets one.
    isVisible = !latest || latest.isIntersecting || latest.boundingClientRect.width === 0;
    if (isVisible && waiting !== undefined) draw();
  });
  visibility.observe(host);

  /** Sets only attributes that have changed, because setting an attribute triggers a layout. */
  const describe = ({ title, description, width, height }: Picture): void => {
    // The title may be the question of the figure, which is already announced.
    const titleText = title === heading ? '' : /[.?!]$/.test(title) ? `${title} ` : `${title}. `;
    const words = titleText + description;
    if (words !== label) host.setAttribute('aria-label', words);
    label = words;
    if (width !== shown?.picture.width) host.style.width = `${decimal(width)}px`;
    if (height !== shown?.picture.height) host.style.height = `${decimal(height)}px`;
  };

  /**
   * The canvas and the role of an image are added with the first picture, because an empty figure must not have an image without text. The
   * canvas is drawn before insertion, because setting a font on a canvas in the page forces a style computation.
   */
  const attach = (): void => {
    if (canvas.parentNode) return;
    host.setAttribute('role', 'img');
    host.append(canvas);
  };

  /**
   * Resizes the canvas to device pixels, or to 1 x 1 if the picture is empty.
   * @returns whether resizing cleared the canvas
   */
  const size = ({ width, height, rasters, marks }: Picture): boolean => {
    const used = rasters.length + marks.length > 0 && !isResting;
    const across = used ? Math.round(width * ratio()) : 1;
    const down = used ? Math.round(height * ratio()) : 1;
    if (canvas.width === across && canvas.height === down) return false;
    canvas.width = across;
    canvas.height = down;
    return true;
  };

  const animate = (way: ((t: number) => readonly Mark[]) | undefined, moving: boolean): void => {
    const start = performance.now();
    const step = (now: number): void => {
      const t = Math.min(1, Math.max(0, (now - start) / (shown?.picture.duration ?? GLIDE)));
      if (way) marks = way(ease(t));
      if (moving) rasters.advance(ease(t));
      drawOrDefer();
      frame = t < 1 ? requestAnimationFrame(step) : 0;
    };
    frame = requestAnimationFrame(step);
  };

  // Moving the window to another screen, or zooming, changes the pixel ratio.
  const onResize = (): void => {
    if (!shown) return;
    if (size(shown.picture)) drawOrDefer();
  };
  window.addEventListener('resize', onResize);
  // Called after a layout; reading the size directly would force a layout.
  const zoomed = new ResizeObserver(() => {
    zoom = (host as { readonly currentCSSZoom?: number }).currentCSSZoom ?? 1;
    onResize();
  });
  zoomed.observe(host);

  return {
    update(picture, { theme, palette = PALETTES[theme], glide, isUrgent = false }) {
      isResting = false;
      cancelAnimationFrame(frame);
      const moving = glide !== undefined && shown !== undefined && !reducedMotion.matches;
      const recoloured = palette !== shown?.palette;
      describe(picture);
      shown = { picture, palette };
      const cleared = size(picture);
      const way = moving ? glide(marks, picture.marks) : undefined;
      const next = way ? way(0) : picture.marks;
      const same = sameMarks(marks, next);
      marks = next;
      const state = rasters.update(picture.rasters, moving);
      if (cleared || recoloured || !same || state !== 'still') drawOrDefer();
      if (isUrgent && waiting !== undefined) draw();
      attach();
      if (way || state === 'moves') animate(way, state === 'moves');
    },
    rest() {
      if (isResting || !shown) return;
      isResting = true;
      cancelAnimationFrame(frame);
      clearTimeout(waiting);
      waiting = undefined;
      rasters = rasterLayer();
      marks = [];
      size(shown.picture);
    },
    dispose() {
      cancelAnimationFrame(frame);
      clearTimeout(waiting);
      visibility.disconnect();
      zoomed.disconnect();
      window.removeEventListener('resize', onResize);
      canvas.remove();
      host.classList.remove('phasor-picture');
      for (const name of ['role', 'aria-label']) host.removeAttribute(name);
      host.style.removeProperty('width');
      host.style.removeProperty('height');
    },
  };
}
