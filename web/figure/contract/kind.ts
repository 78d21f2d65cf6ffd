// The interface of a kind of figure. Each folder of kinds/ is a kind: index.ts defines it, strings.ts contains its strings, placement.ts
// its place in the Lab and on the pages of encodings, hint.ts a hint for readers of the Lab.
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

/** A table of a figure's numbers, with headings, which readers can see and export as CSV. */
export interface DataTable {
  /** The name in `figure.tensors()`. */
  readonly name: string;
  readonly title: string;
  /** [rows, columns], or [rows] for one column. */
  readonly tensor: Tensor;
  readonly rowTitle: string;
  readonly columnTitle: string;
  /** Names of the rows; default: their indices. */
  readonly rows?: readonly string[] | undefined;
  readonly columns?: readonly string[] | undefined;
}

/** The files that a Python program reads, by name: arrays (.npy) and texts. */
export interface ProgramFiles {
  readonly [file: string]: Tensor | string;
}
/** The computation of a figure as programs, which assign the numbers to variables with the names in `figure.tensors()`. */
export interface SourceCode {
  /** The program in Python with NumPy, which imports files from public/reference. */
  readonly python: string;
  /** The program in JavaScript with this package. */
  readonly phasor: string;
  readonly data: ProgramFiles;
}
export type Language = 'python' | 'phasor';

/** Controls the pace of a computation whose steps are shown (surface/paced.ts). */
export interface PaceControls {
  readonly pace: Pace;
  /** The buttons that set the pace. Rendered again after each change of the pace. */
  buttons(): TemplateResult;
}

/** The exports of a kind's code.ts. */
export interface ProgramWriter<Fields extends FieldTable, Numbers> {
  /** @param numbers the numbers of the spec, for programs that contain some of them, such as embeddings of words */
  code(spec: SpecOf<Fields>, encodings: readonly EncodingInfo[], numbers?: Numbers): SourceCode;
}

/** The members of a figure that the custom HTML of its kind may use. */
export interface LiveFigure<Fields extends FieldTable, Numbers> {
  /** The latest numbers and their spec, which may be older than the requested spec. */
  readonly computed: ReadonlySignal<{ readonly spec: SpecOf<Fields>; readonly numbers: Numbers } | undefined>;
  /** The argument of `KindContext.partial`, until the numbers are complete. Only pictures may show these numbers; sentences wait for `computed`. */
  readonly partial: ReadonlySignal<{ readonly spec: SpecOf<Fields>; readonly numbers: Numbers } | undefined>;
  readonly spec: ReadonlySignal<SpecOf<Fields> | SpecError>;
  readonly cursor: Signal<Cursor>;
  /** Fields that the reader cannot change. */
  readonly locked: readonly string[];
  /** Sets fields on behalf of the reader; linked figures follow. */
  change(fields: RawFields): void;
  /** Retries loading the word vectors after a failure, for all figures of the page. */
  retryWords(): void;
}

/** Pictures below this height in CSS px omit secondary parts. */
export const LOW_HEIGHT = 256;
export const isLowHeight = (maxHeight: number | undefined): boolean => maxHeight !== undefined && maxHeight < LOW_HEIGHT;

/** The container of a kind's custom HTML: an empty element in the shadow root of the figure. */
export interface SurfaceContainer {
  readonly element: HTMLElement;
  /** CSS px. */
  readonly width: ReadonlySignal<number>;
  /** The value of the attribute `max-height`, in CSS px. */
  readonly maxHeight: ReadonlySignal<number | undefined>;
  readonly look: ReadonlySignal<Look>;
  /** Announces a sentence to screen readers. */
  announce(sentence: string): void;
  /** Reports that drawing failed because of a bug. */
  reportError(thrown: unknown): void;
}

/** An action that sets fields: a button below the picture, and keys while the picture has the focus. */
export interface Action {
  readonly label: string;
  /** Keys that trigger the action, as in KeyboardEvent.key; the first is shown beside the label. */
  readonly keys?: readonly string[];
  /** The fields that the action sets, at a cursor. */
  fields(cursor: Cursor): RawFields;
  /** True if the action has no effect now. */
  readonly disabled?: boolean;
}

/** A figure to open on a separate page: its kind and its fields, as in a link. */
export interface DetailFigure {
  readonly kind: string;
  readonly label: string;
  readonly fields: { readonly [name: string]: string };
}

/** Numbers that are editable in the picture: the pointer drags them, + and − change them at the cursor. */
export interface DragBehavior<Fields extends FieldTable, Numbers> {
  /** The field of the numbers; if the field is locked, nothing can be dragged. */
  readonly field: string;
  /** The fields that set another value at the cursor; undefined if that value cannot be set. */
  fields(numbers: Numbers, spec: SpecOf<Fields>, cursor: Cursor, value: number): RawFields | undefined;
  /** The instruction, or the reason why nothing can be dragged, as a sentence. */
  hint(numbers: Numbers, spec: SpecOf<Fields>): string;
}

export interface FigureKind<Fields extends FieldTable = FieldTable, Numbers = unknown> {
  /** The name of the folder of the kind. */
  readonly id: string;
  /** The heading of the figure, which is a question. */
  readonly question: string;
  /** The instruction to the reader, a short sentence such as 'Point at a row.' */
  readonly instruction: string;
  /** One sentence about the picture. */
  readonly caption: string;
  /** The fields: attributes, links, Markdown, controls, limits and help are derived from this table. */
  readonly fields: Fields;
  /** Labels for the fields that only this kind has; labels of shared fields are in contract/strings.ts. */
  readonly labels?: { readonly [Name in keyof Fields]?: string };
  /** Help for these fields, one sentence each; help for shared fields is in controls/field-help.ts. */
  readonly help?: { readonly [Name in keyof Fields]?: string };
  /** The fields and parameters whose controls are always visible on the page of the kind; default: the first three fields. */
  readonly mainFields?: readonly string[];
  /** The values chosen for automatic fields, such as a length of 0, in these numbers; the controls show them. */
  resolvedFields?(numbers: Numbers, spec: SpecOf<Fields>): RawFields;
  /** Fields that are not shared with linked figures, even if those have fields of the same names (runtime/link-group.ts). */
  readonly unlinkedFields?: readonly (keyof Fields & string)[];
  /** The height that is reserved before the picture is known, as a fraction of the width. */
  readonly aspect?: number;
  /** Computes every number of the figure with the core; kinds do no arithmetic themselves. */
  compute(spec: SpecOf<Fields>, context: KindContext): Promise<Numbers>;
  /** The picture of the numbers. Pure: the same arguments give the same picture. */
  scene(numbers: Numbers, spec: SpecOf<Fields>, frame: Frame): Scene;
  /**
   * HTML instead of the scene, for interactions that a picture cannot have, such as dragging words. Returns a function that removes the HTML.
   * Files and pages without scripts still use the scene.
   */
  surface?(figure: LiveFigure<Fields, Numbers>, stage: SurfaceContainer): () => void;
  /**
   * The part of the surface below the picture as static HTML, in the style of words/show.css, for pages on which no script has run.
   * `locked`: fields that the reader cannot change.
   */
  staticBelow?(numbers: Numbers, spec: SpecOf<Fields>, locked: readonly string[]): Promise<TemplateResult>;
  /** True if the surface shows and announces its numbers; the line below the picture then omits them, and the proof is collapsed. */
  readonly hasOwnReadout?: boolean;
  /** Buttons below the picture. `before` contains the fields before the reader changed them. */
  actions?(numbers: Numbers, spec: SpecOf<Fields>, before?: RawFields): readonly Action[];
  /** A figure of another kind with details of these numbers, on this page or on the website. */
  detailFigure?(numbers: Numbers, spec: SpecOf<Fields>): DetailFigure;
  readonly dragging?: DragBehavior<Fields, Numbers>;
  /**
   * For kinds that show the steps of a long computation: resolves to the controls of its pace, or to undefined for a recording. Before
   * each step, the computation awaits `KindContext.pace` and shows its numbers with `KindContext.partial`.
   */
  trainable?(spec: SpecOf<Fields>): Promise<{ watchedPace(): PaceControls }> | undefined;
  /**
   * True if the kind shows a trained model. Parameters that are not in the spec are then trained, not initial, and the page needs an engine that
   * can run models.
   */
  readonly isTrained?: boolean;
  /** Whether the kind shows the language model of the page. If so, its figures are recomputed when another model is opened. */
  readonly showsLanguageModel?: boolean;
  /** The cursor axis that represents time, and its number of steps. A button moves the cursor along this axis. */
  readonly playback?: { readonly axis: string; count(numbers: Numbers, spec: SpecOf<Fields>): number };
  /** The fields that a click, or the Enter key, sets at the cursor; undefined if there are none. */
  choose?(numbers: Numbers, spec: SpecOf<Fields>, cursor: Cursor): RawFields | undefined;
  /** Describes the numbers at the cursor, or the range of all numbers if there is no cursor. */
  readout(numbers: Numbers, spec: SpecOf<Fields>, cursor: Cursor): string;
  proof(numbers: Numbers, spec: SpecOf<Fields>): Proof;
  /** Labels of the proof; default: `STRINGS.verdicts`. */
  readonly verdicts?: ProofLabels;
  tables(numbers: Numbers, spec: SpecOf<Fields>): readonly DataTable[];
  /** Loads the code that writes programs for this kind. */
  loadPrograms(): Promise<ProgramWriter<NoInfer<Fields>, NoInfer<Numbers>>>;
  /** The file input, if the kind accepts files. */
  readonly files?: FileInput;
  /** Converts a file to fields; undefined if the kind cannot show the file. Throws a FieldError with a sentence. */
  accept?(file: DroppedFile): Partial<SpecOf<Fields>> | undefined;
}

/** A dropped or selected file after parsing. */
export interface DroppedFile {
  readonly name: string;
  /** Arrays by name: the array 'data' of an .npy or .csv file, or all arrays of a .safetensors file. */
  readonly tensors?: { readonly [name: string]: Tensor } | undefined;
  /** The content of a .txt file. */
  readonly text?: string | undefined;
  /** The content of a .json file. */
  readonly json?: unknown;
}

/** Infers the types of a kind from its fields and from `compute`. */
export const defineKind = <Fields extends FieldTable, Numbers>(kind: FigureKind<Fields, Numbers>): FigureKind<Fields, Numbers> => kind;
