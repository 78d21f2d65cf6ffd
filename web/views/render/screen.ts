// A picture on the page: one canvas, the rasters under the marks, drawn again only when something changed. What a canvas costs is its
// size and not what is drawn on it, so there are no layers.
import type { Mark, Picture, Theme } from '../picture.ts';
import { decimal } from './attributes.ts';
import { ease, GLIDE, marksBetween } from './glide.ts';
import { drawMarks, sameMarks } from './marks.ts';
import { PALETTES } from './palette.ts';
import { rasterLayer } from './rasters.ts';

/** A picture out of sight is drawn when it has not changed for so long (ms). */
const PAUSE = 150;

export interface ShowOptions {
  readonly theme: Theme;
  /** Keyed marks and rasters glide to their new places, unless the reader prefers reduced motion. */
  readonly glide?: boolean;
}

export interface MountedPicture {
  /** Shows a picture. */
  update(picture: Picture, options: ShowOptions): void;
  /** Removes everything from the host and stops listening. */
  dispose(): void;
}

/** Makes `host` show pictures. The host becomes an image with a name for screen readers. */
export function mountPicture(host: HTMLElement): MountedPicture {
  const canvas = document.createElement('canvas');
  canvas.setAttribute('aria-hidden', 'true');
  host.classList.add('phasor-picture');
  host.setAttribute('role', 'img');
  host.append(canvas);

  const context = canvas.getContext('2d');
  const rasters = rasterLayer();
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  let shown: { readonly picture: Picture; readonly theme: Theme } | undefined;
  /** The marks as they are drawn, which may be on their way. */
  let marks: readonly Mark[] = [];
  let label = '';
  let frame = 0;
  let inSight = true;
  /** A drawing that is due. */
  let waiting: ReturnType<typeof setTimeout> | undefined;

  const ratio = (): number => Math.max(1, window.devicePixelRatio || 1);
  const draw = (): void => {
    clearTimeout(waiting);
    waiting = undefined;
    if (!context || !shown) return;
    context.clearRect(0, 0, canvas.width, canvas.height);
    rasters.draw(context, ratio());
    drawMarks(context, marks, PALETTES[shown.theme], ratio());
  };

  /** Draws now, or out of sight when the changes pause: what nobody sees must not hold up what the reader moves. */
  const drawInTurn = (): void => {
    if (inSight) {
      draw();
      return;
    }
    clearTimeout(waiting);
    waiting = setTimeout(draw, PAUSE);
  };
  const sight = new IntersectionObserver((entries) => {
    inSight = entries.at(-1)?.isIntersecting ?? true;
    if (inSight && waiting !== undefined) draw();
  });
  sight.observe(host);

  /** Writes only what is new: the browser takes every written attribute for a change, and lays out again. */
  const describe = ({ title, description, width, height }: Picture): void => {
    const words = `${title}. ${description}`;
    if (words !== label) host.setAttribute('aria-label', words);
    label = words;
    if (width !== shown?.picture.width) host.style.width = `${decimal(width)}px`;
    if (height !== shown?.picture.height) host.style.height = `${decimal(height)}px`;
  };

  /** Gives the canvas as many pixels as the screen has, or almost none when nothing is on it; true when that cleared it. */
  const size = ({ width, height, rasters, marks }: Picture): boolean => {
    const used = rasters.length + marks.length > 0;
    const across = used ? Math.round(width * ratio()) : 1;
    const down = used ? Math.round(height * ratio()) : 1;
    if (canvas.width === across && canvas.height === down) return false;
    canvas.width = across;
    canvas.height = down;
    return true;
  };

  const travel = (way: ((t: number) => readonly Mark[]) | undefined, moving: boolean): void => {
    const start = performance.now();
    const step = (now: number): void => {
      const t = Math.min(1, Math.max(0, (now - start) / GLIDE));
      if (way) marks = way(ease(t));
      if (moving) rasters.advance(ease(t));
      drawInTurn();
      frame = t < 1 ? requestAnimationFrame(step) : 0;
    };
    frame = requestAnimationFrame(step);
  };

  // A window dragged to another screen, or zoomed, has another pixel ratio.
  const onResize = (): void => {
    if (!shown) return;
    if (size(shown.picture)) drawInTurn();
  };
  window.addEventListener('resize', onResize);

  return {
    update(picture, { theme, glide = true }) {
      cancelAnimationFrame(frame);
      const moving = glide && shown !== undefined && !calm.matches;
      const recoloured = theme !== shown?.theme;
      describe(picture);
      shown = { picture, theme };
      const cleared = size(picture);
      const way = moving ? marksBetween(marks, picture.marks) : undefined;
      const next = way ? way(0) : picture.marks;
      const same = sameMarks(marks, next);
      marks = next;
      const state = rasters.update(picture.rasters, moving);
      if (cleared || recoloured || !same || state !== 'still') drawInTurn();
      if (way || state === 'moves') travel(way, state === 'moves');
    },
    dispose() {
      cancelAnimationFrame(frame);
      clearTimeout(waiting);
      sight.disconnect();
      window.removeEventListener('resize', onResize);
      canvas.remove();
      host.classList.remove('phasor-picture');
      for (const name of ['role', 'aria-label']) host.removeAttribute(name);
      host.style.removeProperty('width');
      host.style.removeProperty('height');
    },
  };
}
