// The HTML of a kind that has its own, instead of the picture.
import { computed } from '@preact/signals-core';
import type { FieldTable } from '../contract/fields.ts';
import type { LiveFigure } from '../contract/kind.ts';
import type { RawFields } from '../contract/spec.ts';
import { type SceneOptions, sceneSource } from '../runtime/scene-source.ts';
import type { Surface } from './picture-surface.ts';

export interface KindSurfaceOptions extends SceneOptions {
  readonly locked: readonly string[];
  /** Sets fields as the reader. */
  change(fields: RawFields): void;
  announce(sentence: string): void;
}

export function kindSurface(host: HTMLElement, options: KindSurfaceOptions): Surface {
  const { figure, look, settings, locked, change, announce, reportError } = options;
  const maxHeight = computed(() => settings.value.maxHeight);
  const source = sceneSource(host.parentElement as HTMLElement, options);
  const live = { ...figure, locked, change } as LiveFigure<FieldTable, unknown>;
  const end = figure.kind.surface?.(live, { element: host, width: source.width, maxHeight, look, announce, reportError });
  return {
    ...source,
    dispose() {
      end?.();
      source.dispose();
    },
  };
}
