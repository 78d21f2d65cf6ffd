// phasor-anywidget in a page, started as a notebook starts it: from a blob, with a model that only looks like one of anywidget.
import type { Page } from '@playwright/test';

export interface Traits {
  readonly spec?: unknown;
  /** Bytes as base64, or anything that is no array. */
  readonly arrays?: unknown;
}

/** What the page has afterwards, as `window.notebook`, and as the last of `window.notebooks`. */
export interface Notebook {
  readonly el: HTMLElement;
  readonly model: Map<string, unknown>;
  readonly remove: () => void;
  /** What was sent to Python. */
  readonly sent: unknown[];
  /** Listeners that are left. */
  listening(): number;
  /** Sets a trait as Python does. */
  say(trait: string, value: unknown): void;
}

/**
 * Draws a widget whose script is at `address`, in a page of the same server. Jupyter imports the script once for each widget, marimo once for all,
 * which is `isShared`.
 */
export const draw = (page: Page, address: string, traits: Traits, { isShared = false } = {}) =>
  page.evaluate(
    async ([source, provided, shared]) => {
      const bytesIn = (value: unknown): unknown => {
        if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
        const { base64 } = value as { base64?: string };
        if (base64 === undefined) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, bytesIn(one)]));
        // Somewhere in a longer message, not where float32 may begin.
        const bytes = Uint8Array.from(`\0${atob(base64)}`, (letter) => letter.charCodeAt(0));
        return new DataView(bytes.buffer, 1);
      };
      const listeners = new Map<string, Set<() => void>>();
      const of = (event: string) => listeners.get(event) ?? listeners.set(event, new Set()).get(event);
      const traits = new Map(Object.entries(provided).map(([name, value]) => [name, bytesIn(value)]));
      const sent: unknown[] = [];
      const model = {
        get: (name: string) => traits.get(name),
        set: (name: string, value: unknown) => traits.set(name, value),
        save_changes: () => sent.push(traits.get('cursor')),
        on: (event: string, listener: () => void) => of(event)?.add(listener),
        off: (event: string, listener: () => void) => of(event)?.delete(listener),
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
          for (const listener of of(`change:${trait}`) ?? []) listener();
        },
      };
      Object.assign(window, { notebook, notebooks: [...(notebooks.notebooks ?? []), notebook] });
    },
    [address, traits, isShared] as const,
  );

/** Numbers as a trait has them, and an array of three tokens. */
export const float32 = (...numbers: number[]) => ({ base64: Buffer.from(Float32Array.from(numbers).buffer).toString('base64') });
export const threeTokens = { shape: [1, 3, 3], data: float32(1, 0, 0, 0.5, 0.5, 0, 0.25, 0.25, 0.5) };
