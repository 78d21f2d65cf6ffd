// The interface of a figure kind. Each folder in kinds/ defines one kind: index.ts exports it, strings.ts contains its strings,
// placement.ts determines where the Lab and the encoding pages show it, and hint.ts contains its hint for the Lab.
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import type { TemplateResult } from 'lit';
import type { Cursor, Frame, Scene } from '../../charts/scene.ts';
import type { EncodingInfo, Tensor } from '../../engine/index.ts';
import type { Pace } from '../runtime/pace.ts';
import type { KindContext } from './context.ts';
import type { FieldTable, SpecOf } from './fields.ts';
import type { FileInput } from './file-input.ts';
import type { Proof, ProofLabels } from './proof.ts';
import type { RawFields, SpecError } from './spec.ts';
import type { Look } from './theme.ts';

export type { Engine, KindContext, Vocabulary } from './context.ts';
export { createProof as makeProof, type Proof, type ProofLabels, passes, selectVerdict as verdictOf } from './proof.ts';
export type { Cursor, Frame, Scene };

/** A table of results. Users can view it and export it as CSV. */
export interface DataTable {
  /** The name in `figure.tensors()`. */
  readonly name: string;
  readonly title: string;
  /** [rows, columns], or [rows] for one column. */
  readonly tensor: Tensor;
  readonly rowTitle: string;
  readonly columnTitle: string;
  /** Row names; default: the row indices. */
  readonly rows?: readonly string[] | undefined;
  readonly columns?: readonly string[] | undefined;
}

/** The files that a Python program reads, by name: tensors (.npy) and text files. */
export interface ProgramFiles {
  readonly [file: string]: Tensor | string;
}
/** Programs that compute a figure's results. Their variables have the same names as in `figure.tensors()`. */
export interface SourceCode {
  /** A Python program that uses NumPy and imports files from public/reference. */
  readonly python: string;
  /** A JavaScript program that uses this package. */
  readonly phasor: string;
  readonly data: ProgramFiles;
}
export type Language = 'python' | 'phasor';

/** Buttons that pause, step or stop a computation whose steps are displayed (surface/paced.ts). */
export interface PaceControls {
  readonly pace: Pace;
  /** Renders the buttons. Called again whenever the pace changes. */
  buttons(): TemplateResult;
}

export interface ProgramWriter<Fields extends FieldTable, Results> {
  /** @param results the computed results; some programs include part of them, such as word embeddings */
  code(spec: SpecOf<Fields>, encodings: readonly EncodingInfo[], results?: Results): SourceCode;
}

/** The figure state that a kind's custom HTML may use. */
export interface LiveFigure<Fields extends FieldTable, Results> {
  /** The latest results with the spec they were computed for. The user may have changed `spec` since then. */
  readonly computed: ReadonlySignal<{ readonly spec: SpecOf<Fields>; readonly results: Results } | undefined>;
  /**
   * Partial results reported by `KindContext.partial` while the computation is running. Pictures may show them, but sentences wait for
   * `computed`.
   */
  readonly partial: ReadonlySignal<{ readonly spec: SpecOf<Fields>; readonly results: Results } | undefined>;
  readonly spec: ReadonlySignal<SpecOf<Fields> | SpecError>;
  readonly cursor: Signal<Cursor>;
  /** Names of the fields that the user cannot change. */
  readonly locked: readonly string[];
  /** Sets fields as if the user had changed them. Linked figures are updated too. */
  change(fields: RawFields): void;
  /** Retries loading the word vectors, for all figures on the page. */
  retryWords(): void;
}

/** Pictures that are lower than this, in CSS px, omit their secondary parts. */
export const LOW_HEIGHT = 256;
export const isLowHeight = (maxHeight: number | undefined): boolean => maxHeight !== undefined && maxHeight < LOW_HEIGHT;

/** The empty element in the shadow root to which a figure kind adds its custom HTML. */
export interface SurfaceContainer {
  readonly element: HTMLElement;
  /** CSS px. */
  readonly width: ReadonlySignal<number>;
  /** The value of the `max-height` attribute, in CSS px. */
  readonly maxHeight: ReadonlySignal<number | undefined>;
  readonly look: ReadonlySignal<Look>;
  /** Announces a sentence to screen readers. */
  announce(sentence: string): void;
  /** Reports an exception that was thrown while drawing. */
  reportError(thrown: unknown): void;
}

/** An action that sets fields, triggered by a button below the picture or by a key while the picture has focus. */
export interface Action {
  readonly label: string;
  /** Keys that trigger the action, as values of KeyboardEvent.key. The first key is displayed beside the label. */
  readonly keys?: readonly string[];
  /** Returns the fields to set. They may depend on the cursor. */
  fields(cursor: Cursor): RawFields;
  /** True while the action would have no effect. */
  readonly disabled?: boolean;
}

/** A link to a figure of another kind, with the fields to set. */
export interface DetailFigure {
  readonly kind: string;
  readonly label: string;
  readonly fields: { readonly [name: string]: string };
}

/** Values that the user can change in the picture, by dragging them or by pressing + and − at the cursor. */
export interface DragBehavior<Fields extends FieldTable, Results> {
  /** The field that contains the values. If the user cannot change this field, dragging is disabled. */
  readonly field: string;
  /** Returns the fields that set the value at the cursor to `value`, or undefined if it cannot be set. */
  fields(results: Results, spec: SpecOf<Fields>, cursor: Cursor, value: number): RawFields | undefined;
  /** A sentence that explains how to drag, or why dragging is disabled. */
  hint(results: Results, spec: SpecOf<Fields>): string;
}

export interface FigureKind<Fields extends FieldTable = FieldTable, Results = unknown> {
  /** The name of the kind's folder. */
  readonly id: string;
  /** The figure's heading, a question. */
  readonly question: string;
  /** A short instruction, such as 'Point at a row.' */
  readonly instruction: string;
  /** A sentence that describes the picture. */
  readonly caption: string;
  /** Fields of this figure kind. Attributes, links, Markdown, controls, limits and help are all derived from them. */
  readonly fields: Fields;
  /** Labels of the fields that other kinds do not have. Shared fields have theirs in contract/strings.ts. */
  readonly labels?: { readonly [Name in keyof Fields]?: string };
  /** One help sentence for each field that other kinds do not have. Shared fields have theirs in controls/field-help.ts. */
  readonly help?: { readonly [Name in keyof Fields]?: string };
  /** Fields and parameters whose controls are always visible on the kind's page; default: the first three fields. */
  readonly mainFields?: readonly string[];
  /** Returns the values chosen for automatic fields, such as a length of 0. The controls display these values. */
  resolvedFields?(results: Results, spec: SpecOf<Fields>): RawFields;
  /** Fields that are not shared with linked figures, even if these have a field of the same name (runtime/link-group.ts). */
  readonly unlinkedFields?: readonly (keyof Fields & string)[];
  /** The height to reserve until the picture is drawn, as a fraction of the width. */
  readonly aspect?: number;
  /** Computes the figure's results. All arithmetic is done by the core. */
  compute(spec: SpecOf<Fields>, context: KindContext): Promise<Results>;
  /** Draws the results. The scene depends only on the arguments. */
  scene(results: Results, spec: SpecOf<Fields>, frame: Frame): Scene;
  /**
   * Creates HTML that replaces the scene, for interactions that a picture does not support, such as dragging words. Returns a function that
   * removes the HTML. Exported files and pages without scripts still use the scene.
   */
  surface?(figure: LiveFigure<Fields, Results>, stage: SurfaceContainer): () => void;
  /**
   * Renders the HTML below the picture for pages on which no script has run, styled by words/show.css. `locked` contains the fields that
   * the user cannot change.
   */
  staticBelow?(results: Results, spec: SpecOf<Fields>, locked: readonly string[]): Promise<TemplateResult>;
  /** True if the custom HTML displays and announces its values itself. The readout and the caption below the picture are then omitted. */
  readonly hasOwnReadout?: boolean;
  /** Buttons below the picture. `before` contains the fields as they were before the user changed them. */
  actions?(results: Results, spec: SpecOf<Fields>, before?: RawFields): readonly Action[];
  /** A figure of another kind that shows these results in detail, on this page or on the website. */
  detailFigure?(results: Results, spec: SpecOf<Fields>): DetailFigure;
  readonly dragging?: DragBehavior<Fields, Results>;
  /**
   * For figures that display the steps of a long computation. Loads the pace controls, or returns undefined if the results are
   * not computed live. Before each step, the computation awaits `KindContext.pace`, and then reports results with `KindContext.partial`.
   */
  trainable?(spec: SpecOf<Fields>): Promise<{ watchedPace(): PaceControls }> | undefined;
  /**
   * True if the figure uses a trained model. Parameters missing from the spec are then taken from the model, and the page needs an engine
   * that can run models.
   */
  readonly isTrained?: boolean;
  /** True if the figure shows the page's language model. It is recomputed when another model is opened. */
  readonly showsLanguageModel?: boolean;
  /** The cursor axis that represents time, and its number of steps. The play button moves the cursor along this axis. */
  readonly playback?: { readonly axis: string; count(results: Results, spec: SpecOf<Fields>): number };
  /** Returns the fields to set when the user clicks or presses Enter at the cursor, or undefined if there are none. */
  choose?(results: Results, spec: SpecOf<Fields>, cursor: Cursor): RawFields | undefined;
  /** Describes the results at the cursor, or their overall range if there is no cursor. */
  readout(results: Results, spec: SpecOf<Fields>, cursor: Cursor): string;
  proof(results: Results, spec: SpecOf<Fields>): Proof;
  /** The labels for a proof that passes or fails; default: `STRINGS.verdicts`. */
  readonly verdicts?: ProofLabels;
  tables(results: Results, spec: SpecOf<Fields>): readonly DataTable[];
  loadPrograms(): Promise<ProgramWriter<NoInfer<Fields>, NoInfer<Results>>>;
  readonly files?: FileInput;
  /**
   * Converts a file to fields. Returns undefined if this kind of figure cannot show the file. Throws a FieldError if the file is invalid.
   */
  accept?(file: DroppedFile): Partial<SpecOf<Fields>> | undefined;
}

/** A file that the user has dropped or selected, after parsing. */
export interface DroppedFile {
  readonly name: string;
  /** The file's arrays, by name. A .npy or .csv file has one array, named 'data'. */
  readonly tensors?: { readonly [name: string]: Tensor } | undefined;
  /** The content of a .txt file. */
  readonly text?: string | undefined;
  /** The content of a .json file. */
  readonly json?: unknown;
}

/**
 * Returns its argument. TypeScript infers the types of the kind from `fields` and then from `compute`. Properties that read the result of
 * `compute` must follow it; otherwise their parameters have type any.
 */
export const defineKind = <Fields extends FieldTable, Results>(kind: FigureKind<Fields, Results>): FigureKind<Fields, Results> => kind;
