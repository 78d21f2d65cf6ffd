import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import type { Settings } from '../contract/attributes.ts';
import type { SpecError } from '../contract/spec.ts';
import { STRINGS } from '../contract/strings.ts';
import type { renderControls } from '../controls/controls.ts';
import type { renderExportMenu } from '../export/menu.ts';
import type { Computed, Figure } from '../runtime/controller.ts';
import type { Player } from '../surface/play.ts';
import type { renderTables } from './data-table.ts';
import { resultOrFallback } from './frame.ts';
import type { openedStyles } from './opened-styles.ts';

/** A module that is loaded when the user first opens its part; undefined until then, or an error message if loading failed. */
export type LazyModule<Program> = Signal<Program | string | undefined>;

export interface View {
  readonly figure: Signal<Figure | undefined>;
  readonly specError: Signal<SpecError | undefined>;
  readonly internalError: Signal<string | undefined>;
  readonly settings: Signal<Settings>;
  /** Names of the open parts. The content of a part is rendered only while it is open. */
  readonly openParts: Signal<ReadonlySet<string>>;
  readonly announcement: Signal<string>;
  /** Whether the figure is within one screen of the viewport. Figures farther away do not update their cursor. */
  readonly isNear: Signal<boolean>;
  readonly isInView: Signal<boolean>;
  /** Moves the cursor along the time axis. Figures without a time axis have no player. */
  readonly player: Signal<Player | undefined>;
  /** True while the placeholder is displayed and must not be replaced yet. */
  readonly isPending: Signal<boolean>;
  readonly hasBeenNear: Signal<boolean>;
  readonly menu: LazyModule<typeof renderExportMenu>;
  readonly tables: LazyModule<typeof renderTables>;
  /** Loaded if the page lists controls, or when the user opens the part with the controls. */
  readonly controls: LazyModule<typeof renderControls>;
  /** Undefined until loaded. */
  readonly openedStyles: Signal<typeof openedStyles | undefined>;
  readonly latestResult: ReadonlySignal<Computed | undefined>;
  readonly problem: ReadonlySignal<string | undefined>;
  /** A sentence about the values at the cursor. */
  readonly readout: ReadonlySignal<string>;
}

export function createFigureView(): View {
  const figure = signal<Figure | undefined>(undefined);
  const specError = signal<SpecError | undefined>(undefined);
  const internalError = signal<string | undefined>(undefined);
  const isNear = signal(false);
  const latestResult = computed(() => figure.value?.shownResult.value);
  const problem = computed(() => specError.value?.message ?? internalError.value ?? figure.value?.failure.value?.message);
  return {
    figure,
    specError,
    internalError,
    settings: signal<Settings>({ lock: [], controls: undefined, hasMore: false, maxHeight: undefined }),
    openParts: signal<ReadonlySet<string>>(new Set()),
    announcement: signal(''),
    isNear,
    player: signal<Player | undefined>(undefined),
    isInView: signal(false),
    isPending: signal(false),
    hasBeenNear: signal(false),
    menu: signal<typeof renderExportMenu | string | undefined>(undefined),
    tables: signal<typeof renderTables | string | undefined>(undefined),
    controls: signal<typeof renderControls | string | undefined>(undefined),
    openedStyles: signal<typeof openedStyles | undefined>(undefined),
    latestResult,
    problem,
    readout: computed(() => {
      const currentFigure = figure.value;
      const result = latestResult.value;
      if (!currentFigure || !result)
        return problem.value ? '' : currentFigure?.encodings.value.length ? STRINGS.computing : STRINGS.waiting;
      return resultOrFallback(
        () => currentFigure.kind.readout(result.results, result.spec, isNear.value ? currentFigure.cursor.value : {}),
        (message) => message,
      );
    }),
  };
}
