// The parts of a figure that are loaded later: controls, tables and exports, each when it is first visible. If loading fails, a message replaces the
// part, which is loaded again when the reader closes and reopens it.
import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { messageOf } from '../../engine/errors.ts';
import { STRINGS } from '../contract/strings.ts';
import type { ControlsOptions } from '../controls/controls.ts';
import { hasControls } from '../controls/has-controls.ts';
import type { Exported } from '../export/menu.ts';
import type { Computed, Figure } from '../runtime/controller.ts';
import { part, problemLine } from './frame.ts';
import type { Later, View } from './view-state.ts';

/** Loads a module, and the styles of its elements. Never rejects. */
async function fetchInto<Program>(
  { openedLook }: View,
  program: Later<Program>,
  fetching: () => Promise<Program>,
  failed: (why: string) => string,
): Promise<void> {
  try {
    const [created, look] = await Promise.all([fetching(), import('./opened-styles.ts')]);
    openedLook.value = look.openedLook;
    program.value = created;
  } catch (thrown) {
    program.value = failed(messageOf(thrown));
  }
}

const fetchControls = (view: View): Promise<void> =>
  fetchInto(view, view.controls, async () => (await import('../controls/controls.ts')).controlsOf, STRINGS.noControls);
const fetchMenu = (view: View): Promise<void> =>
  fetchInto(view, view.menu, async () => (await import('../export/menu.ts')).exportMenu, STRINGS.noExport);
const fetchTables = (view: View): Promise<void> =>
  fetchInto(view, view.tables, async () => (await import('./data-table.ts')).dataTable, STRINGS.noTables);

/** A part that is folded until it is opened. */
function folded<Program>({ open }: View, name: string, title: string, program: Later<Program>, content: () => unknown): TemplateResult {
  const isOpen = open.value.has(name);
  const toggled = (event: Event): void => {
    const next = new Set(open.peek());
    if ((event.target as HTMLDetailsElement).open) next.add(name);
    else {
      next.delete(name);
      if (typeof program.peek() === 'string') program.value = undefined;
    }
    if (next.size !== open.peek().size) open.value = next;
  };
  return html`<details class=${`part-${name}`} part=${`extra ${name}`} .open=${isOpen} @toggle=${toggled}><summary>${title}</summary>${isOpen ? content() : nothing}</details>`;
}

/** The pause in ms after which a changed value counts as final. */
const REST_DELAY = 700;
const restTimers = new WeakMap<View, ReturnType<typeof setTimeout>>();

/** Announces the effect of a control on the picture after the last change, because a slider announces only its value. */
function speakResting(view: View, figure: Figure): void {
  clearTimeout(restTimers.get(view));
  const speak = (): void => {
    view.spoken.value = view.readout.peek();
  };
  restTimers.set(
    view,
    setTimeout(() => figure.ready().then(speak, () => {}), REST_DELAY),
  );
}

/** Controls that the page lists are part of the figure; all others are folded. */
export function controlsPart(view: View, figure: Figure, changed: (figure: Figure, field: string) => void) {
  const { lock, controls, hasMore } = view.settings.value;
  const content = (names: Pick<ControlsOptions, 'included' | 'excluded'>) => (): TemplateResult | typeof nothing => {
    const program = view.controls.value;
    if (program === undefined) {
      void fetchControls(view);
      return nothing;
    }
    if (typeof program === 'string') return problemLine(program);
    const set = (name: string): void => {
      changed(figure, name);
      speakResting(view, figure);
    };
    const list = program(figure, { ...names, locked: lock, changed: set });
    return list.length > 0 ? html`<div class="controls">${list}</div>` : nothing;
  };
  const names = { included: undefined, excluded: controls };
  const hasFolded = (!controls || hasMore) && hasControls(figure.kind, [...lock, ...(controls ?? [])]);
  return {
    shown: controls ? part(content({ included: controls })) : nothing,
    changes: hasFolded ? folded(view, 'controls', STRINGS.controls, view.controls, () => part(content(names))) : nothing,
  };
}

/** Templates that depend only on the numbers, and are created once per result, not per cursor movement. */
export function numbersPart(view: View, { kind, encodings }: Figure, latest: Computed | undefined, exported: Exported): TemplateResult {
  const result = <Program>(
    program: Later<Program>,
    fetch: (view: View) => Promise<void>,
    list: readonly unknown[],
    make: (program: Program, latest: Computed) => TemplateResult,
  ): unknown => {
    if (!latest) return nothing;
    const { value } = program;
    return guard([latest, value, ...list], () => {
      if (typeof value === 'string') return problemLine(value);
      if (value !== undefined) return part(() => make(value, latest));
      void fetch(view);
      return html`<p>${STRINGS.loading}</p>`;
    });
  };
  const { tables, menu } = view;
  const table = () => result(tables, fetchTables, [], (twin, { numbers, spec }) => twin(kind.tables(numbers, spec)));
  const files = () => result(menu, fetchMenu, [encodings.value], (list, numbers) => list(exported, kind, numbers, encodings.peek()));
  return html`${folded(view, 'table', STRINGS.table, tables, table)}${folded(view, 'export', STRINGS.export, menu, files)}`;
}
