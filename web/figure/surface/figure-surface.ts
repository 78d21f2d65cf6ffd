// What shows a figure in its place: HTML of its kind's own, or a picture; either sets fields and speaks through the state of the element.
import type { ReadonlySignal } from '@preact/signals-core';
import { messageOf } from '../../engine/errors.ts';
import type { RawFields } from '../contract/spec.ts';
import { WORDS } from '../contract/strings.ts';
import type { Look } from '../contract/theme.ts';
import type { View } from '../element/view-state.ts';
import type { Figure } from '../runtime/controller.ts';
import { kindSurface } from './kind-surface.ts';
import { pictureSurface, type Surface } from './picture-surface.ts';

export interface FigureSurfaceOptions {
  readonly look: ReadonlySignal<Look>;
  /** The width that a still picture inside the element was made for, px. */
  readonly most: number | undefined;
  /** The width before the browser has told it, px. */
  readonly known: number | undefined;
  /** The reader has set a field. */
  changed(figure: Figure, field: string): void;
}

export function figureSurface(host: HTMLElement, figure: Figure, view: View, { changed, ...shown }: FigureSurfaceOptions): Surface {
  const { settings, near, spoken, readout, broken } = view;
  const announce = (sentence: string): void => {
    spoken.value = sentence;
  };
  const options = {
    ...shown,
    figure,
    settings,
    locked: settings.peek().lock,
    change(fields: RawFields) {
      figure.change(fields);
      for (const name of Object.keys(fields)) changed(figure, name);
    },
    reportError(thrown: unknown) {
      console.error(thrown);
      broken.value = WORDS.broken(messageOf(thrown));
    },
  };
  return figure.kind.surface
    ? kindSurface(host, { ...options, announce })
    : pictureSurface(host, {
        ...options,
        near,
        stepped: () => announce(readout.peek()),
        refused: () => announce(WORDS.cannotSet),
      });
}
