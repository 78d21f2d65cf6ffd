// Renders phasor-anywidget in a page as notebooks do: from a blob URL, with a stand-in for the model of anywidget.
import type { Page } from '@playwright/test';

export interface Traits {
  readonly spec?: unknown;
  /** Arrays whose bytes are in base64, or an invalid value. */
  readonly arrays?: unknown;
}

/** A rendered widget: `window.notebook`, and the last element of `window.notebooks`. */
export interface Notebook {
  readonly el: HTMLElement;
  readonly model: Map<string, unknown>;
  readonly remove: () => void;
  /** The cursors that were sent to Python. */
  readonly sent: unknown[];
  /** The number of listeners on the model. */
  listening(): number;
  /** Sets a trait as Python does. */
  say(trait: string, value: unknown): void;
}

/**
 * Renders a widget whose script is at `address`, in a page of the same server. Jupyter imports the script once per widget, marimo once for all of
 * them (`isShared`).
 */
export const drawWidget = (page: Page, address: string, traits: Traits, { isShared = false } = {}) =>
  page.evaluate(
    async ([source, provided, shared]) => {
      const bytesIn = (value: unknown): unknown => {
        if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
        const { base64 } = value as { base64?: string };
        if (base64 === undefined) return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, bytesIn(item)]));
        // At an offset of 1 byte, as within a longer message, where no Float32Array may begin.
        const bytes = Uint8Array.from(`\0${atob(base64)}`, (letter) => letter.charCodeAt(0));
        return new DataView(bytes.buffer, 1);
      };
      const listeners = new Map<string, Set<() => void>>();
      const listenersOf = (event: string) => listeners.get(event) ?? listeners.set(event, new Set()).get(event);
      const traits = new Map(Object.entries(provided).map(([name, value]) => [name, bytesIn(value)]));
      const sent: unknown[] = [];
      const model = {
        get: (name: string) => traits.get(name),
        set: (name: string, value: unknown) => traits.set(name, value),
        save_changes: () => sent.push(traits.get('cursor')),
        on: (event: string, listener: () => void) => listenersOf(event)?.add(listener),
        off: (event: string, listener: () => void) => listenersOf(event)?.delete(listener),
      };
      const notebooks = window as unknown as { blob?: string; notebooks?: unknown[] };
      if (!shared || !notebooks.blob) {
        const code = await (await fetch(source)).text();
        notebooks.blob = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
      }
      const widget = (await import(notebooks.blob)).default;
      const el = document.body.appendChild(document.createElement('div'));
      const remove = widget.render({ model, el });
      const notebook = {
        ...{ el, model: traits, remove, sent },
        listening: () => [...listeners.values()].reduce((count, { size }) => count + size, 0),
        say: (trait: string, value: unknown) => {
          traits.set(trait, bytesIn(value));
          for (const listener of listenersOf(`change:${trait}`) ?? []) listener();
        },
      };
      Object.assign(window, { notebook, notebooks: [...(notebooks.notebooks ?? []), notebook] });
    },
    [address, traits, isShared] as const,
  );

/** The data of a float32 array, as in a trait. */
export const float32 = (...values: number[]) => ({ base64: Buffer.from(Float32Array.from(values).buffer).toString('base64') });
export const threeTokens = { shape: [1, 3, 3], data: float32(1, 0, 0, 0.5, 0.5, 0, 0.25, 0.25, 0.5) };
