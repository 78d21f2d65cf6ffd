// Loads a figure's controls, tables and exports when the user first opens them. If loading fails, an error message is displayed; reopening
// the part retries.
import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { messageOf } from '../../engine/errors.ts';
import { STRINGS } from '../contract/strings.ts';
import type { ControlsOptions } from '../controls/controls.ts';
import { hasControls } from '../controls/has-controls.ts';
import type { ExportSource } from '../export/menu.ts';
import type { Computed, Figure } from '../runtime/controller.ts';
import { renderPart, renderProblem } from './frame.ts';
import type { LazyModule, View } from './view-state.ts';

/** Loads a module and the styles for collapsible parts. Never rejects: on failure, sets `program` to an error message. */
async function loadModule<Program>(
  { openedStyles }: View,
  program: LazyModule<Program>,
  importProgram: () => Promise<Program>,
  errorMessage: (why: string) => string,
): Promise<void> {
  try {
    const [loadedProgram, stylesModule] = await Promise.all([importProgram(), import('./opened-styles.ts')]);
    openedStyles.value = stylesModule.openedStyles;
    program.value = loadedProgram;
  } catch (thrown) {
    program.value = errorMessage(messageOf(thrown));
  }
}

const fetchControls = (view: View): Promise<void> =>
  loadModule(view, view.controls, async () => (await import('../controls/controls.ts')).renderControls, STRINGS.noControls);
const fetchMenu = (view: View): Promise<void> =>
  loadModule(view, view.menu, async () => (await import('../export/menu.ts')).renderExportMenu, STRINGS.noExport);
const fetchTables = (view: View): Promise<void> =>
  loadModule(view, view.tables, async () => (await import('./data-table.ts')).renderTables, STRINGS.noTables);

function renderCollapsedPart<Program>(
  { openParts }: View,
  name: string,
  title: string,
  program: LazyModule<Program>,
  renderContent: () => unknown,
): TemplateResult {
  const isOpen = openParts.value.has(name);
  const onToggle = (event: Event): void => {
    const nextOpenParts = new Set(openParts.peek());
    if ((event.target as HTMLDetailsElement).open) nextOpenParts.add(name);
    else {
      nextOpenParts.delete(name);
      if (typeof program.peek() === 'string') program.value = undefined;
    }
    if (nextOpenParts.size !== openParts.peek().size) openParts.value = nextOpenParts;
  };
  return html`<details class=${`part-${name}`} part=${`extra ${name}`} .open=${isOpen} @toggle=${onToggle}><summary>${title}</summary>${isOpen ? renderContent() : nothing}</details>`;
}

/** Delay in ms between the last change and its announcement. */
const ANNOUNCE_DELAY_MS = 700;
const announceTimers = new WeakMap<View, ReturnType<typeof setTimeout>>();

/** Announces the readout some time after the last change of a control, because a control announces only its own value. */
function announceLater(view: View, figure: Figure): void {
  clearTimeout(announceTimers.get(view));
  const announce = (): void => {
    view.announcement.value = view.readout.peek();
  };
  announceTimers.set(
    view,
    setTimeout(() => figure.ready().then(announce, () => {}), ANNOUNCE_DELAY_MS),
  );
}

/** Renders the always visible controls, which the page lists, and a collapsed part with the others. */
export function renderControlsPart(view: View, figure: Figure, changed: (figure: Figure, field: string) => void) {
  const { lock, controls, hasMore } = view.settings.value;
  const createRenderer = (options: Omit<ControlsOptions, 'locked'>) => (): TemplateResult | typeof nothing => {
    const program = view.controls.value;
    if (program === undefined) {
      void fetchControls(view);
      return nothing;
    }
    if (typeof program === 'string') return renderProblem(program);
    const setAndAnnounce = (name: string): void => {
      changed(figure, name);
      announceLater(view, figure);
    };
    const controlTemplates = program(figure, { ...options, locked: lock, changed: setAndAnnounce });
    return controlTemplates.length > 0 ? html`<div class="controls">${controlTemplates}</div>` : nothing;
  };
  const collapsedOptions = { included: undefined, excluded: controls };
  const hasCollapsedControls = (!controls || hasMore) && hasControls(figure.kind, [...lock, ...(controls ?? [])]);
  return {
    visibleControls: controls ? renderPart(createRenderer({ included: controls })) : nothing,
    collapsedControls: hasCollapsedControls
      ? renderCollapsedPart(view, 'controls', STRINGS.controls, view.controls, () => renderPart(createRenderer(collapsedOptions)))
      : nothing,
  };
}

/**
 * Renders the tables and the export menu as collapsed parts. They do not depend on the cursor, so they are not rendered again when it
 * moves.
 */
export function renderNumbersPart(
  view: View,
  { kind, encodings }: Figure,
  latest: Computed | undefined,
  exported: ExportSource,
): TemplateResult {
  const renderWhenLoaded = <Program>(
    program: LazyModule<Program>,
    fetchModule: (view: View) => Promise<void>,
    dependencies: readonly unknown[],
    create: (program: Program, latest: Computed) => TemplateResult,
  ): unknown => {
    if (!latest) return nothing;
    const { value } = program;
    return guard([latest, value, ...dependencies], () => {
      if (typeof value === 'string') return renderProblem(value);
      if (value !== undefined) return renderPart(() => create(value, latest));
      void fetchModule(view);
      return html`<p>${STRINGS.loading}</p>`;
    });
  };
  const { tables, menu } = view;
  const renderTable = () =>
    renderWhenLoaded(tables, fetchTables, [], (renderTables, { results, spec }) => renderTables(kind.tables(results, spec)));
  const renderFiles = () =>
    renderWhenLoaded(menu, fetchMenu, [encodings.value], (renderMenu, computed) => renderMenu(exported, kind, computed, encodings.peek()));
  return html`${renderCollapsedPart(view, 'table', STRINGS.table, tables, renderTable)}${renderCollapsedPart(view, 'export', STRINGS.export, menu, renderFiles)}`;
}
