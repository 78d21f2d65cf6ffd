// What <phasor-figure> shows: heading, picture, the numbers at the cursor, the proof, controls, tables and files.
import { watch } from '@lit-labs/preact-signals';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { until } from 'lit/directives/until.js';
import { messageOf } from '../../engine/errors/thrown.ts';
import { capital, formatNumber } from '../../views/number.ts';
import type { Settings } from '../contract/attributes.ts';
import { holds, type Proof, verdictOf } from '../contract/kind.ts';
import type { AnyKind } from '../contract/registry.ts';
import type { SpecError } from '../contract/spec.ts';
import { untrainedNote } from '../contract/untrained.ts';
import { WORDS } from '../contract/words.ts';
import type { controlsOf } from '../controls/controls.ts';
import { hasControls } from '../controls/has-controls.ts';
import type { Exported, exportMenu } from '../export/menu.ts';
import type { Computed, Figure } from '../runtime/controller.ts';
import { actionsPart } from '../surface/actions.ts';
import type { Player } from '../surface/play.ts';
import { frameOnly, PLAY, PLAY_BUTTON, PROOF } from './frame.ts';
import type { tableTwin } from './table-twin.ts';

/** The state of one element. */
export interface View {
  readonly figure: Signal<Figure | undefined>;
  /** Why there is no figure. */
  readonly unknown: Signal<SpecError | undefined>;
  /** A fault of the program. */
  readonly broken: Signal<string | undefined>;
  readonly settings: Signal<Settings>;
  /** Opened parts, which are made when they are seen. */
  readonly open: Signal<ReadonlySet<string>>;
  readonly spoken: Signal<string>;
  /** Whether the figure is within one screen of sight: others do not follow the cursor. */
  readonly near: Signal<boolean>;
  /** Whether any of it is in the window. */
  readonly inView: Signal<boolean>;
  /** What walks the cursor along the positions, in kinds where they are time. */
  readonly player: Signal<Player | undefined>;
  /** Whether it has ever been near. */
  readonly hasBeenNear: Signal<boolean>;
  /** What a reader exports with, once it has been fetched: from then on it follows the numbers at once. */
  readonly menu: Signal<typeof exportMenu | undefined>;
  /** What makes tables, once it has been fetched: when a reader opens them. */
  readonly tables: Signal<typeof tableTwin | undefined>;
  /** What makes the controls, once it has been fetched: when the page names some, or when a reader opens them. */
  readonly controls: Signal<typeof controlsOf | undefined>;
  readonly latest: ReadonlySignal<Computed | undefined>;
  readonly problem: ReadonlySignal<string | undefined>;
  /** The numbers at the cursor as a sentence. */
  readonly readout: ReadonlySignal<string>;
}

export function viewState(): View {
  const figure = signal<Figure | undefined>(undefined);
  const unknown = signal<SpecError | undefined>(undefined);
  const broken = signal<string | undefined>(undefined);
  const near = signal(false);
  const latest = computed(() => figure.value?.shown.value);
  const problem = computed(() => unknown.value?.message ?? broken.value ?? figure.value?.failure.value?.message);
  return {
    figure,
    unknown,
    broken,
    settings: signal<Settings>({ lock: [], controls: undefined, maxHeight: undefined }),
    open: signal<ReadonlySet<string>>(new Set()),
    spoken: signal(''),
    near,
    player: signal<Player | undefined>(undefined),
    inView: signal(false),
    hasBeenNear: signal(false),
    menu: signal<typeof exportMenu | undefined>(undefined),
    tables: signal<typeof tableTwin | undefined>(undefined),
    controls: signal<typeof controlsOf | undefined>(undefined),
    latest,
    problem,
    readout: computed(() => {
      const shown = figure.value;
      const numbers = latest.value;
      if (!shown || !numbers) return problem.value ? '' : shown?.encodings.value.length ? WORDS.computing : WORDS.waiting;
      return attempt(
        () => shown.kind.readout(numbers.numbers, numbers.spec, near.value ? shown.cursor.value : {}),
        (message) => message,
      );
    }),
  };
}

/** A part of the figure, or why it cannot be shown: a fault in one must not take the others along. */
function attempt<Result>(make: () => Result, otherwise: (message: string) => Result): Result {
  try {
    return make();
  } catch (thrown) {
    console.error(thrown);
    return otherwise(messageOf(thrown));
  }
}

const problemLine = (message: string, more: unknown = nothing): TemplateResult =>
  html`<p class="problem" part="problem" role="alert">${message}${more}</p>`;
const restartButton = ({ restart }: Figure): TemplateResult => html` <button type="button" @click=${restart}>${WORDS.restart}</button>`;
const part = (make: () => TemplateResult | typeof nothing): TemplateResult | typeof nothing => attempt(make, problemLine);

/** `isStale`: the proof is about settings that the reader has left for others, which were refused. */
function proofLine(kind: AnyKind, proof: Proof, isStale: boolean): TemplateResult {
  const numbers = WORDS.residual(proof.what, formatNumber(proof.residual), formatNumber(proof.tolerance, { short: true }));
  const verdict = isStale ? WORDS.stale : verdictOf(kind, proof);
  return html`<details class=${isStale ? 'proof stale' : holds(proof) ? 'proof' : 'proof amber'} part="extra below">
    <summary><b>${verdict}</b></summary>
    <p>${proof.meaning} ${capital(numbers)}. <span class="source">${proof.source}</span></p>
  </details>`;
}

/** A part that is folded until it is wanted. */
function folded({ open }: View, name: string, title: string, content: () => unknown): TemplateResult {
  const isOpen = open.value.has(name);
  const toggled = (event: Event): void => {
    const next = new Set(open.peek());
    if ((event.target as HTMLDetailsElement).open) next.add(name);
    else next.delete(name);
    if (next.size !== open.peek().size) open.value = next;
  };
  return html`<details class=${`part-${name}`} part=${`extra ${name}`} .open=${isOpen} @toggle=${toggled}><summary>${title}</summary>${isOpen ? content() : nothing}</details>`;
}

/** Of a kind with HTML of its own; a picture says it itself. */
function untrainedLine({ kind, encodings }: Figure, { spec }: Computed): TemplateResult | typeof nothing {
  const note = untrainedNote(kind, spec, encodings.value);
  return note === undefined ? nothing : html`<p class="untrained" part="below">${note}</p>`;
}

function progressLine({ progress }: Figure): TemplateResult | typeof nothing {
  const share = progress.value;
  return share === undefined ? nothing : html`<progress max="1" .value=${share} aria-label=${WORDS.computing}></progress>`;
}

export interface ViewActions {
  /** The files of the figure, and how it comes into other pages. */
  readonly exported: Exported;
  /** The reader has set a field. */
  changed(figure: Figure, field: string): void;
  /** Where the reader's own files come in. */
  bring(figure: Figure): TemplateResult | typeof nothing;
}

function playButton({ player }: View, { kind }: Figure): TemplateResult | typeof nothing {
  const shown = player.value;
  if (!shown) return kind.play ? PLAY_BUTTON : nothing;
  const isPlaying = shown.isPlaying.value;
  return html`<button type="button" class="play" @click=${shown.toggle}>${isPlaying ? WORDS.pause : WORDS.play}</button>`;
}

/** Of a computation that is watched, while there is something to watch. */
function paceButtons({ pace, state, early }: Figure): TemplateResult | typeof nothing {
  if (!pace || state.value !== 'computing' || !early.value) return nothing;
  const isPaused = pace.isPaused.value;
  return html`<button type="button" @click=${() => pace.toggle()}>${isPaused ? WORDS.goOn : WORDS.pause}</button>
    <button type="button" @click=${() => pace.step()}>${WORDS.oneStep}</button>
    <button type="button" @click=${() => pace.stop()}>${WORDS.stop}</button>`;
}

/** Buttons below the picture; what they lead to is spoken. */
function picturePart(view: View, figure: Figure, latest: Computed | undefined, changed: ViewActions['changed']) {
  if (!latest) return figure.kind.play ? PLAY : nothing;
  return actionsPart(figure, latest, view.settings.value.lock, figure.pace ? paceButtons(figure) : playButton(view, figure), (fields) => {
    figure.change(fields);
    for (const name of Object.keys(fields)) changed(figure, name);
    const say = (): void => {
      view.spoken.value = view.readout.peek();
    };
    figure.ready().then(say, () => {});
  });
}

/** A value that the reader sets rests when it has not been changed for so long, ms. */
const REST = 700;
const resting = new WeakMap<View, ReturnType<typeof setTimeout>>();

/** Says what became of the picture when a control has come to rest: a slider itself says only its value. */
function speakResting(view: View, figure: Figure): void {
  clearTimeout(resting.get(view));
  const say = (): void => {
    view.spoken.value = view.readout.peek();
  };
  resting.set(
    view,
    setTimeout(() => figure.ready().then(say, () => {}), REST),
  );
}

/** Fetches the program of the controls. Never rejects: what cannot be had is said in its place. */
export async function loadControls({ controls }: View): Promise<void> {
  try {
    controls.value = (await import('../controls/controls.ts')).controlsOf;
  } catch (thrown) {
    const why = problemLine(WORDS.noControls(messageOf(thrown)));
    controls.value = () => [why];
  }
}

/** Controls that the page names are part of the figure; all of them would be too many, and are folded. */
function controlsPart(view: View, figure: Figure, changed: ViewActions['changed']) {
  const { lock, controls } = view.settings.value;
  const content = (): TemplateResult | typeof nothing => {
    const program = view.controls.value;
    if (!program) {
      void loadControls(view);
      return nothing;
    }
    const set = (name: string): void => {
      changed(figure, name);
      speakResting(view, figure);
    };
    const list = program(figure, { only: controls, locked: lock, changed: set });
    return list.length > 0 ? html`<div class="controls">${list}</div>` : nothing;
  };
  if (controls) return { shown: part(content), changes: nothing };
  return {
    shown: nothing,
    changes: hasControls(figure.kind, lock) ? folded(view, 'controls', WORDS.controls, () => part(content)) : nothing,
  };
}

/** Fetches the menu of exports. Never rejects: says why it cannot be had. Closed and opened again, it is fetched again. */
async function loadMenu({ menu }: View): Promise<TemplateResult | typeof nothing> {
  try {
    menu.value = (await import('../export/menu.ts')).exportMenu;
    return nothing;
  } catch (thrown) {
    return problemLine(WORDS.noExport(messageOf(thrown)));
  }
}

/** The same of tables. */
async function loadTables({ tables }: View): Promise<TemplateResult | typeof nothing> {
  try {
    tables.value = (await import('./table-twin.ts')).tableTwin;
    return nothing;
  } catch (thrown) {
    return problemLine(WORDS.noTables(messageOf(thrown)));
  }
}

/** What is made from the numbers alone: once for each, and not when the reader points somewhere. */
function numbersPart(view: View, { kind, encodings }: Figure, latest: Computed | undefined, { exported }: ViewActions): TemplateResult {
  const made = (list: readonly unknown[], make: (latest: Computed) => TemplateResult) => () =>
    latest ? guard([latest, ...list], () => part(() => make(latest))) : nothing;
  const twin = view.tables.value;
  const menu = view.menu.value;
  const coming = (loading: Promise<unknown>): TemplateResult => html`${until(loading, html`<p>${WORDS.loading}</p>`)}`;
  const tables = made([twin], ({ numbers, spec }) => (twin ? twin(kind.tables(numbers, spec)) : coming(loadTables(view))));
  const files = made([encodings.value, menu], (numbers) =>
    menu ? menu(exported, kind, numbers, encodings.peek()) : coming(loadMenu(view)),
  );
  return html`${folded(view, 'table', WORDS.table, tables)}${folded(view, 'export', WORDS.export, files)}`;
}

export interface Standing {
  /** There is a picture inside the element that is seen until there are numbers. */
  readonly hasStill: boolean;
  /** Another figure stands in its place until there are numbers; this one is made behind it. */
  readonly isBehind: boolean;
  /** The height of the picture at least, px. */
  readonly height: number | undefined;
}

export function figureTemplate(view: View, actions: ViewActions, { hasStill, isBehind, height }: Standing): TemplateResult {
  const figure = view.figure.value;
  const problem = view.problem.value;
  const latest = view.latest.value;
  const message = problem === undefined ? nothing : problemLine(problem, figure?.failure.value?.ofEngine ? restartButton(figure) : nothing);
  if (!figure) return html`<figure><slot></slot>${message}</figure>`;
  const { kind } = figure;
  const isStale = problem !== undefined && latest !== undefined;
  const isLive = latest !== undefined && view.broken.value === undefined;
  const { maxHeight = 480 } = view.settings.value;
  // Room for the picture, so that what follows does not move when it comes.
  const kept = height === undefined ? '' : `min-height: ${height}px`;
  const reserved = isLive ? kept : hasStill || problem ? '' : `min-height: min(calc(${kind.aspect ?? 0.5} * 100cqi), ${maxHeight}px)`;
  const { lock, controls } = view.settings.value;
  if (!view.hasBeenNear.value && !latest && problem === undefined && !controls)
    return frameOnly({ ...kind, play: kind.play !== undefined, reserved, changes: hasControls(kind, lock), bring: actions.bring(figure) });
  const { shown, changes } = controlsPart(view, figure, actions.changed);
  return html`<figure aria-labelledby="question" ?hidden=${isBehind}>
    <figcaption>
      <p class="question" part="question" id="question" aria-hidden="true">${kind.question}</p>
      <p class="instruction" part="instruction">${kind.instruction}</p>
    </figcaption>
    <div class=${`picture${isStale ? ' stale' : ''}`} .style=${reserved} tabindex=${kind.surface ? nothing : latest ? 0 : -1} role="group"
      aria-label=${WORDS.picture} aria-describedby=${kind.surface ? nothing : 'keys'}>${isLive || isBehind ? nothing : html`<slot></slot>`}<div class="surface" ?hidden=${hasStill && !isLive}></div></div>
    ${kind.surface && latest ? untrainedLine(figure, latest) : nothing}
    ${message}
    ${figure.kept.value.map(({ message }) => html`<p class="kept">${message}</p>`)}
    ${progressLine(figure)}
    ${
      kind.tellsItself
        ? nothing
        : html`<p class=${`readout${isStale ? ' stale' : ''}`} part="below" aria-hidden="true">${watch(view.readout)}</p>
          <p class="caption" part="caption">${kind.caption}</p>`
    }
    ${part(() => picturePart(view, figure, latest, actions.changed))}
    ${shown}
    ${actions.bring(figure)}
    <div class="extras" part="extras">${latest ? guard([latest, isStale], () => part(() => proofLine(kind, kind.proof(latest.numbers, latest.spec), isStale))) : PROOF}${changes}${numbersPart(view, figure, latest, actions)}</div>
    <div class="live" aria-live="polite">${watch(view.spoken)}</div>
    <div class="live" id="keys">${WORDS.arrowKeys}</div>
  </figure>`;
}
