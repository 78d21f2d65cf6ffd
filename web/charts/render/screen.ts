// Draws a picture on a canvas, with rasters below marks, and redraws it only after changes.

import type { Mark, Picture, Theme } from '../picture.ts';
import { formatLength } from './attributes.ts';
import { areSameMarks, drawMarks } from './marks.ts';
import { PALETTES, type Palette } from './palette.ts';
import { rasterLayer } from './rasters.ts';

export const TRANSITION_MS = 200;

/** Smoothstep easing from 0 to 1. */
export const ease = (t: number): number => t * t * (3 - 2 * t);

/** Delay in ms between the last change of a picture outside the viewport and drawing it. */
const QUIET_TIME_MS = 150;

/** Returns a function of t (0 to 1) that interpolates between two lists of marks, or undefined if nothing moves. */
export type MarkInterpolator = (before: readonly Mark[], after: readonly Mark[]) => ((t: number) => readonly Mark[]) | undefined;

export interface ShowOptions {
  readonly theme: Theme;
  /** Colours of marks; default: the theme's. */
  readonly palette?: Palette;
  /**
   * Enables animation, and interpolates marks with `interpolateMarks` (glide.ts), for example; default: no animation. Ignored if the user prefers
   * reduced motion.
   */
  readonly interpolator?: MarkInterpolator | undefined;
  /** Whether to draw immediately even outside the viewport, for example before printing. */
  readonly isUrgent?: boolean;
}

export interface MountedPicture {
  update(picture: Picture, options: ShowOptions): void;
  /** Releases pixel memory until the next update. The layout size is kept. */
  freePixels(): void;
  dispose(): void;
}

/**
 * Mounts a canvas in `host`, which gets the ARIA role `img` and a label.
 * @param heading text that the page announces beside the picture; a title that equals it is not announced again
 */
export function mountPicture(host: HTMLElement, heading?: string): MountedPicture {
  const canvas = document.createElement('canvas');
  canvas.setAttribute('aria-hidden', 'true');
  host.classList.add('phasor-picture');

  const context = canvas.getContext('2d');
  let rasters = rasterLayer();
  const reducedMotionQuery = matchMedia('(prefers-reduced-motion: reduce)');
  let currentFrame: { readonly picture: Picture; readonly palette: Palette } | undefined;
  let marks: readonly Mark[] = [];
  let currentLabel = '';
  let frameRequest = 0;
  let isVisible = true;
  let hasFreedPixels = false;
  let drawTimer: ReturnType<typeof setTimeout> | undefined;

  let zoom = 1;
  const pixelRatio = (): number => Math.max(1, window.devicePixelRatio || 1) * zoom;
  const draw = (): void => {
    clearTimeout(drawTimer);
    drawTimer = undefined;
    if (!context || !currentFrame) return;
    context.clearRect(0, 0, canvas.width, canvas.height);
    rasters.draw(context, pixelRatio());
    drawMarks(context, marks, currentFrame.palette, pixelRatio());
  };

  /** Draws immediately if the picture is in the viewport. Otherwise, waits until changes pause, so that hidden pictures do not delay visible ones. */
  const drawOrDefer = (): void => {
    if (isVisible) {
      draw();
      return;
    }
    clearTimeout(drawTimer);
    drawTimer = setTimeout(draw, QUIET_TIME_MS);
  };
  const visibilityObserver = new IntersectionObserver((entries) => {
    const latestEntry = entries.at(-1);
    // A host of zero width counts as visible, because it may get a size later.
    isVisible = !latestEntry || latestEntry.isIntersecting || latestEntry.boundingClientRect.width === 0;
    if (isVisible && drawTimer !== undefined) draw();
  });
  visibilityObserver.observe(host);

  /** Writes only attributes that changed, because each write triggers a layout. */
  const updateLabel = ({ title, description, width, height }: Picture): void => {
    const titleText = title === heading ? '' : /[.?!]$/.test(title) ? `${title} ` : `${title}. `;
    const labelText = titleText + description;
    if (labelText !== currentLabel) host.setAttribute('aria-label', labelText);
    currentLabel = labelText;
    if (width !== currentFrame?.picture.width) host.style.width = `${formatLength(width)}px`;
    if (height !== currentFrame?.picture.height) host.style.height = `${formatLength(height)}px`;
  };

  /**
   * The canvas and the image role are added with the first picture, because an unlabelled image is not accessible. The canvas is drawn before
   * insertion, because setting its font in the page would force a style computation.
   */
  const attachCanvas = (): void => {
    if (canvas.parentNode) return;
    host.setAttribute('role', 'img');
    host.append(canvas);
  };

  /**
   * Resizes the canvas to device pixels, or to 1 x 1 if the picture is empty.
   * @returns whether resizing cleared the canvas
   */
  const resizeCanvas = ({ width, height, rasters, marks }: Picture): boolean => {
    const hasContents = rasters.length + marks.length > 0 && !hasFreedPixels;
    const canvasWidth = hasContents ? Math.round(width * pixelRatio()) : 1;
    const canvasHeight = hasContents ? Math.round(height * pixelRatio()) : 1;
    if (canvas.width === canvasWidth && canvas.height === canvasHeight) return false;
    canvas.width = canvasWidth;
    canvas.height = canvasHeight;
    return true;
  };

  const animate = (interpolation: ((t: number) => readonly Mark[]) | undefined, isMoving: boolean): void => {
    const startTime = performance.now();
    const drawFrame = (now: number): void => {
      const t = Math.min(1, Math.max(0, (now - startTime) / (currentFrame?.picture.duration ?? TRANSITION_MS)));
      if (interpolation) marks = interpolation(ease(t));
      if (isMoving) rasters.advance(ease(t));
      drawOrDefer();
      frameRequest = t < 1 ? requestAnimationFrame(drawFrame) : 0;
    };
    frameRequest = requestAnimationFrame(drawFrame);
  };

  // Zooming, or moving the window to another screen, changes the pixel ratio.
  const onResize = (): void => {
    if (!currentFrame) return;
    if (resizeCanvas(currentFrame.picture)) drawOrDefer();
  };
  window.addEventListener('resize', onResize);
  // The observer runs after a layout. Reading the zoom at other times would force one.
  const zoomObserver = new ResizeObserver(() => {
    zoom = (host as { readonly currentCSSZoom?: number }).currentCSSZoom ?? 1;
    onResize();
  });
  zoomObserver.observe(host);

  return {
    update(picture, { theme, palette = PALETTES[theme], interpolator, isUrgent = false }) {
      hasFreedPixels = false;
      cancelAnimationFrame(frameRequest);
      const isMoving = interpolator !== undefined && currentFrame !== undefined && !reducedMotionQuery.matches;
      const hasNewColors = palette !== currentFrame?.palette;
      updateLabel(picture);
      currentFrame = { picture, palette };
      const wasCleared = resizeCanvas(picture);
      const interpolation = isMoving ? interpolator(marks, picture.marks) : undefined;
      const nextMarks = interpolation ? interpolation(0) : picture.marks;
      const hasSameMarks = areSameMarks(marks, nextMarks);
      marks = nextMarks;
      const rasterChange = rasters.update(picture.rasters, isMoving);
      if (wasCleared || hasNewColors || !hasSameMarks || rasterChange !== 'still') drawOrDefer();
      if (isUrgent && drawTimer !== undefined) draw();
      attachCanvas();
      if (interpolation || rasterChange === 'moves') animate(interpolation, rasterChange === 'moves');
    },
    freePixels() {
      if (hasFreedPixels || !currentFrame) return;
      hasFreedPixels = true;
      cancelAnimationFrame(frameRequest);
      clearTimeout(drawTimer);
      drawTimer = undefined;
      rasters = rasterLayer();
      marks = [];
      resizeCanvas(currentFrame.picture);
    },
    dispose() {
      cancelAnimationFrame(frameRequest);
      clearTimeout(drawTimer);
      visibilityObserver.disconnect();
      zoomObserver.disconnect();
      window.removeEventListener('resize', onResize);
      canvas.remove();
      host.classList.remove('phasor-picture');
      for (const name of ['role', 'aria-label']) host.removeAttribute(name);
      host.style.removeProperty('width');
      host.style.removeProperty('height');
    },
  };
}
