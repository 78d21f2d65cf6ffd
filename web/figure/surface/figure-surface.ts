// Creates a figure's surface: either a picture, or custom HTML defined by the figure's kind.
import { computed, type ReadonlySignal } from '@preact/signals-core';
import { messageOf } from '../../engine/errors.ts';
import type { FieldTable } from '../contract/fields.ts';
import type { LiveFigure } from '../contract/kind.ts';
import type { RawFields } from '../contract/spec.ts';
import { STRINGS } from '../contract/strings.ts';
import type { Look } from '../contract/theme.ts';
import type { View } from '../element/view-state.ts';
import type { Figure } from '../runtime/controller.ts';
import { createSceneSource, type SceneOptions } from '../runtime/scene-source.ts';
import { createPictureSurface, type Surface } from './picture-surface.ts';

export interface CustomSurfaceOptions extends SceneOptions {
  readonly locked: readonly string[];
  change(fields: RawFields): void;
  announce(sentence: string): void;
}

export function createCustomSurface(host: HTMLElement, options: CustomSurfaceOptions): Surface {
  const { figure, look, settings, locked, change, announce, reportError } = options;
  const maxHeight = computed(() => settings.value.maxHeight);
  const source = createSceneSource(host.parentElement as HTMLElement, options);
  const liveFigure = { ...figure, locked, change } as LiveFigure<FieldTable, unknown>;
  const endSurface = figure.kind.surface?.(liveFigure, { element: host, width: source.width, maxHeight, look, announce, reportError });
  return {
    ...source,
    dispose() {
      endSurface?.();
      source.dispose();
    },
  };
}

export interface FigureSurfaceOptions {
  readonly look: ReadonlySignal<Look>;
  /** Width in px of the static picture that the figure replaces. */
  readonly maxWidth: number | undefined;
  /** Width in px used until the browser reports the actual width. */
  readonly expectedWidth: number | undefined;
  onFieldChange(figure: Figure, field: string): void;
}

export function createFigureSurface(
  host: HTMLElement,
  figure: Figure,
  view: View,
  { onFieldChange, ...sceneOptions }: FigureSurfaceOptions,
): Surface {
  const { settings, isNear, announcement, readout, internalError } = view;
  const announce = (sentence: string): void => {
    announcement.value = sentence;
  };
  const options = {
    ...sceneOptions,
    figure,
    settings,
    locked: settings.peek().lock,
    change(fields: RawFields) {
      figure.change(fields);
      for (const name of Object.keys(fields)) onFieldChange(figure, name);
    },
    reportError(thrown: unknown) {
      console.error(thrown);
      internalError.value = STRINGS.internalError(messageOf(thrown));
    },
  };
  return figure.kind.surface
    ? createCustomSurface(host, { ...options, announce })
    : createPictureSurface(host, {
        ...options,
        isNear,
        announceStep: () => announce(readout.peek()),
        notifyRejected: () => announce(STRINGS.cannotSet),
      });
}
