// The scene of a figure at the width of its room, as a signal.
import { computed, type ReadonlySignal, signal } from '@preact/signals-core';
import type { Scene } from '../views/scene.ts';
import type { Computed, Figure } from './controller.ts';
import type { Look } from './theme.ts';

export interface SceneSource {
  readonly width: ReadonlySignal<number>;
  /** Made anew for other numbers, another size or theme, not for the cursor; not made at all before it is asked for. */
  readonly scene: ReadonlySignal<Scene | undefined>;
  dispose(): void;
}

export interface SceneOptions {
  readonly figure: Figure;
  readonly look: ReadonlySignal<Look>;
  readonly maxHeight: ReadonlySignal<number | undefined>;
  /** Drawing has failed, by a fault of the program. */
  broken(thrown: unknown): void;
}

export function sceneSource(room: HTMLElement, { figure, look, maxHeight, broken }: SceneOptions): SceneSource {
  const width = signal(Math.floor(room.clientWidth));
  const observer = new ResizeObserver(([entry]) => {
    width.value = Math.floor(entry?.contentRect.width ?? 0);
  });
  observer.observe(room);
  const sceneOf = ({ numbers, spec }: Computed): Scene | undefined => {
    try {
      return figure.kind.scene(numbers, spec, { width: width.value, maxHeight: maxHeight.value, theme: look.value.theme });
    } catch (thrown) {
      broken(thrown);
      return undefined;
    }
  };
  const scene = computed((): Scene | undefined => {
    const latest = figure.computed.value;
    return latest && width.value >= 40 ? sceneOf(latest) : undefined;
  });
  return { width, scene, dispose: () => observer.disconnect() };
}
