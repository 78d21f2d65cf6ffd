// A picture on the page: a canvas for the rasters under an SVG for the marks, redrawn only where something changed.
import type { Picture } from '../picture.ts';
import { decimal } from './attributes.ts';
import { ease, GLIDE } from './glide.ts';
import { type MarkLayer, type Motion, markLayer } from './marks.ts';
import { rasterLayer } from './rasters.ts';

export interface MountedPicture {
  /**
   * Shows a picture. Keyed marks and rasters glide to their new places, unless `glide` is false (while the reader drags)
   * or the reader prefers reduced motion.
   */
  update(picture: Picture, options?: { readonly glide?: boolean }): void;
  /** Removes everything from the host and stops listening. */
  dispose(): void;
}

/** Makes `host` show pictures. The host becomes an image with a name for screen readers. */
export function mountPicture(host: HTMLElement): MountedPicture {
  const canvas = document.createElement('canvas');
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  for (const node of [canvas, svg]) node.setAttribute('aria-hidden', 'true');
  host.classList.add('phasor-picture');
  host.setAttribute('role', 'img');
  host.append(canvas, svg);

  const context = canvas.getContext('2d');
  const rasters = rasterLayer();
  const marks: MarkLayer = markLayer(svg);
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  let shown: Picture | undefined;
  let motions: Motion[] = [];
  let frame = 0;

  const ratio = (): number => Math.max(1, window.devicePixelRatio || 1);
  const draw = (): void => {
    if (context) rasters.draw(context, ratio());
  };

  /** Gives the canvas as many pixels as the screen has; true when that cleared it. */
  const size = ({ width, height, rasters: { length: rasterCount } }: Picture): boolean => {
    // A picture of lines and words only keeps no pixels.
    const across = rasterCount === 0 ? 1 : Math.round(width * ratio());
    const down = rasterCount === 0 ? 1 : Math.round(height * ratio());
    host.style.width = `${decimal(width)}px`;
    host.style.height = `${decimal(height)}px`;
    const view = `0 0 ${decimal(width)} ${decimal(height)}`;
    if (svg.getAttribute('viewBox') !== view) svg.setAttribute('viewBox', view);
    if (canvas.width === across && canvas.height === down) return false;
    canvas.width = across;
    canvas.height = down;
    return true;
  };

  const travel = (moving: boolean): void => {
    const start = performance.now();
    const step = (now: number): void => {
      const t = Math.min(1, Math.max(0, (now - start) / GLIDE));
      for (const motion of motions) motion(ease(t));
      if (moving) {
        rasters.advance(ease(t));
        draw();
      }
      frame = t < 1 ? requestAnimationFrame(step) : 0;
    };
    frame = requestAnimationFrame(step);
  };

  // A window dragged to another screen, or zoomed, has another pixel ratio.
  const onResize = (): void => {
    if (shown && size(shown)) draw();
  };
  window.addEventListener('resize', onResize);

  return {
    update(picture, { glide = true } = {}) {
      cancelAnimationFrame(frame);
      const first = shown === undefined;
      shown = picture;
      host.setAttribute('aria-label', `${picture.title}. ${picture.description}`);
      const moving = glide && !first && !calm.matches;
      const cleared = size(picture);
      motions = marks.update(picture.marks, moving);
      const state = rasters.update(picture.rasters, moving);
      if (cleared || state !== 'still') draw();
      if (motions.length > 0 || state === 'moves') travel(state === 'moves');
    },
    dispose() {
      cancelAnimationFrame(frame);
      window.removeEventListener('resize', onResize);
      canvas.remove();
      svg.remove();
      host.classList.remove('phasor-picture');
      for (const name of ['role', 'aria-label']) host.removeAttribute(name);
      host.style.removeProperty('width');
      host.style.removeProperty('height');
    },
  };
}
