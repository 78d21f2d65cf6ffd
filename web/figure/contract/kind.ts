// The interface of a kind of figure. Each kind is a folder in kinds/: index.ts defines the kind, strings.ts contains its strings,
// placement.ts says where the Lab and the pages of encodings show it, and hint.ts contains a hint for readers of the Lab.
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

/** A table with numbers of a figure. Readers can display it and export it as CSV. */
export interface DataTable {
  /** The name in `figure.tensors()`. */
  readonly name: string;
  readonly title: string;
  /** [rows, columns], or [rows] for one column. */
  readonly tensor: Tensor;
  readonly rowTitle: string;
  readonly columnTitle: string;
  /** The names of the rows. By default, a row is named by its index. */
  readonly rows?: readonly string[] | undefined;
  readonly columns?: readonly string[] | undefined;
}

/** The files that a Python program reads, by name: tensors (.npy) and texts. */
export interface ProgramFiles {
  readonly [file: string]: Tensor | string;
}
/** Programs that compute the numbers of a figure. They assign the numbers to variables with the same names as in `figure.tensors()`. */
export interface SourceCode {
  /** A Python program that uses NumPy and imports files from public/reference. */
  readonly python: string;
  /** A JavaScript program that uses this package. */
  readonly phasor: string;
  readonly data: ProgramFiles;
}
export type Language = 'python' | 'phasor';

/** The buttons with which a reader sets the pace of a computation whose steps are shown (surface/paced.ts). */
export interface PaceControls {
  readonly pace: Pace;
  /** Renders the buttons. Called again after each change of the pace. */
  buttons(): TemplateResult;
}

export interface ProgramWriter<Fields extends FieldTable, Numbers> {
  /** @param numbers the computed numbers; some programs contain a part of them, such as word embeddings */
  code(spec: SpecOf<Fields>, encodings: readonly EncodingInfo[], numbers?: Numbers): SourceCode;
}

/** The parts of a figure that the custom HTML of a kind may use. */
export interface LiveFigure<Fields extends FieldTable, Numbers> {
  /** The latest numbers with the spec they were computed for. The reader may already have requested another spec. */
  readonly computed: ReadonlySignal<{ readonly spec: SpecOf<Fields>; readonly numbers: Numbers } | undefined>;
  /**
   * The numbers that `KindContext.partial` has reported, until all numbers are computed. Pictures may show these numbers, but sentences
   * wait for `computed`.
   */
  readonly partial: ReadonlySignal<{ readonly spec: SpecOf<Fields>; readonly numbers: Numbers } | undefined>;
  readonly spec: ReadonlySignal<SpecOf<Fields> | SpecError>;
  readonly cursor: Signal<Cursor>;
  /** Names of the fields that the reader cannot change. */
  readonly locked: readonly string[];
  /** Sets fields as if the reader had changed them. Linked figures follow. */
  change(fields: RawFields): void;
  /** Loads the word vectors again after a failure, for all figures of the page. */
  retryWords(): void;
}

/** Pictures that are lower than this, in CSS px, omit their secondary parts. */
export const LOW_HEIGHT = 256;
export const isLowHeight = (maxHeight: number | undefined): boolean => maxHeight !== undefined && maxHeight < LOW_HEIGHT;

/** The empty element in the shadow root to which a kind adds its custom HTML. */
export interface SurfaceContainer {
  readonly element: HTMLElement;
  /** CSS px. */
  readonly width: ReadonlySignal<number>;
  /** The value of the attribute `max-height`, in CSS px. */
  readonly maxHeight: ReadonlySignal<number | undefined>;
  readonly look: ReadonlySignal<Look>;
  /** Announces a sentence to screen readers. */
  announce(sentence: string): void;
  /** Reports an exception that was thrown while drawing. */
  reportError(thrown: unknown): void;
}

/** An action that sets fields. It is triggered by a button below the picture, or by a key while the picture has the focus. */
export interface Action {
  readonly label: string;
  /** Keys that trigger the action, with the names of KeyboardEvent.key. The first key is displayed beside the label. */
  readonly keys?: readonly string[];
  /** Returns the fields to set. They may depend on the cursor. */
  fields(cursor: Cursor): RawFields;
  /** True while the action would have no effect. */
  readonly disabled?: boolean;
}

/** A figure that opens on another page, with the fields that its link contains. */
export interface DetailFigure {
  readonly kind: string;
  readonly label: string;
  readonly fields: { readonly [name: string]: string };
}

/** Numbers that the reader can change in the picture, by dragging them or by pressing + and − at the cursor. */
export interface DragBehavior<Fields extends FieldTable, Numbers> {
  /** The field that contains the numbers. If the reader cannot change this field, dragging is disabled. */
  readonly field: string;
  /** Returns the fields that give the number at the cursor a new value, or undefined if that value cannot be set. */
  fields(numbers: Numbers, spec: SpecOf<Fields>, cursor: Cursor, value: number): RawFields | undefined;
  /** A sentence that tells the reader how to drag, or why dragging is disabled. */
  hint(numbers: Numbers, spec: SpecOf<Fields>): string;
}

export interface FigureKind<Fields extends FieldTable = FieldTable, Numbers = unknown> {
  /** The name of the kind's folder. */
  readonly id: string;
  /** The heading of the figure, in the form of a question. */
  readonly question: string;
  /** A short sentence that tells the reader what to do, such as 'Point at a row.' */
  readonly instruction: string;
  /** A sentence that describes the picture. */
  readonly caption: string;
  /** The fields of the kind. Attributes, links, Markdown, controls, limits and help are all derived from them. */
  readonly fields: Fields;
  /** Labels of the fields that other kinds do not have. Labels of shared fields are in contract/strings.ts. */
  readonly labels?: { readonly [Name in keyof Fields]?: string };
  /** One sentence of help for each of these fields. Help for shared fields is in controls/field-help.ts. */
  readonly help?: { readonly [Name in keyof Fields]?: string };
  /** The fields and parameters whose controls are always visible on the page of the kind. By default, the first three fields. */
  readonly mainFields?: readonly string[];
  /** Returns the values that were chosen for automatic fields, such as a length of 0. The controls display these values. */
  resolvedFields?(numbers: Numbers, spec: SpecOf<Fields>): RawFields;
  /** Fields that are not shared with linked figures, even if a linked figure has a field of the same name (runtime/link-group.ts). */
  readonly unlinkedFields?: readonly (keyof Fields & string)[];
  /** The height to reserve before the picture is known, as a fraction of the width. */
  readonly aspect?: number;
  /** Computes all numbers of the figure. All arithmetic is done by the core. */
  compute(spec: SpecOf<Fields>, context: KindContext): Promise<Numbers>;
  /** Draws the picture of the numbers. The result depends only on the arguments. */
  scene(numbers: Numbers, spec: SpecOf<Fields>, frame: Frame): Scene;
  /**
   * Creates HTML that replaces the scene, for interactions that a picture does not support, such as dragging words. Returns a function that
   * removes the HTML. Exported files and pages without scripts still show the scene.
   */
  surface?(figure: LiveFigure<Fields, Numbers>, stage: SurfaceContainer): () => void;
  /**
   * Renders the HTML below the picture for pages on which no script has run, in the style of words/show.css. `locked` contains the fields
   * that the reader cannot change.
   */
  staticBelow?(numbers: Numbers, spec: SpecOf<Fields>, locked: readonly string[]): Promise<TemplateResult>;
  /**
   * True if the custom HTML displays and announces its numbers itself. The line below the picture is then omitted, and the proof is
   * collapsed.
   */
  readonly hasOwnReadout?: boolean;
  /** Buttons below the picture. `before` contains the fields as they were before the reader changed them. */
  actions?(numbers: Numbers, spec: SpecOf<Fields>, before?: RawFields): readonly Action[];
  /** A figure of another kind that shows these numbers in detail. It is on this page or on the website. */
  detailFigure?(numbers: Numbers, spec: SpecOf<Fields>): DetailFigure;
  readonly dragging?: DragBehavior<Fields, Numbers>;
  /**
   * For kinds that show the steps of a long computation. Resolves to the controls of its pace, or to undefined if the computation was
   * recorded. Before each step, the computation awaits `KindContext.pace` and shows its numbers with `KindContext.partial`.
   */
  trainable?(spec: SpecOf<Fields>): Promise<{ watchedPace(): PaceControls }> | undefined;
  /**
   * True if the kind shows a trained model. Parameters that are missing from the spec are then trained ones, and the page needs an engine
   * that can run models.
   */
  readonly isTrained?: boolean;
  /** True if the kind shows the language model of the page. Its figures are computed again when another model is opened. */
  readonly showsLanguageModel?: boolean;
  /** The cursor axis that represents time, and its number of steps. A play button moves the cursor along this axis. */
  readonly playback?: { readonly axis: string; count(numbers: Numbers, spec: SpecOf<Fields>): number };
  /** Returns the fields to set when the reader clicks, or presses Enter, at the cursor; undefined if there are none. */
  choose?(numbers: Numbers, spec: SpecOf<Fields>, cursor: Cursor): RawFields | undefined;
  /** Describes the numbers at the cursor. Without a cursor, describes the range of all numbers. */
  readout(numbers: Numbers, spec: SpecOf<Fields>, cursor: Cursor): string;
  proof(numbers: Numbers, spec: SpecOf<Fields>): Proof;
  /** The labels for a proof that passes or fails; default: `STRINGS.verdicts`. */
  readonly verdicts?: ProofLabels;
  tables(numbers: Numbers, spec: SpecOf<Fields>): readonly DataTable[];
  loadPrograms(): Promise<ProgramWriter<NoInfer<Fields>, NoInfer<Numbers>>>;
  readonly files?: FileInput;
  /** Converts a file to fields. Returns undefined if the kind cannot show the file. Throws a FieldError if the file is invalid. */
  accept?(file: DroppedFile): Partial<SpecOf<Fields>> | undefined;
}

/** A file that the reader has dropped or selected, after it was parsed. */
export interface DroppedFile {
  readonly name: string;
  /** The arrays of the file by name. A .npy or .csv file has one array, named 'data'. */
  readonly tensors?: { readonly [name: string]: Tensor } | undefined;
  /** The content of a .txt file. */
  readonly text?: string | undefined;
  /** The content of a .json file. */
  readonly json?: unknown;
}

/**
 * Returns its argument. TypeScript infers the types of the kind from `fields` and `compute`, in order: properties that read the result of `compute`
 * follow it, because their parameters are otherwise of type any.
 */
export const defineKind = <Fields extends FieldTable, Numbers>(kind: FigureKind<Fields, Numbers>): FigureKind<Fields, Numbers> => kind;
