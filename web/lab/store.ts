// The state of the page as signals. Elements read them; only the functions here write them.
import { batch, computed, effect, signal } from '@preact/signals-core';
import { type EncodingInfo, PhasorError, type RemotePhasor } from '../engine/index.ts';
import { latestOnly } from '../figure/latest.ts';
import { computeFigure, type Figure } from '../sentence/compute.ts';
import { identityOrder, isIdentity, moved } from '../sentence/order.ts';
import { shownHead } from '../sentence/setting.ts';
import { tokenize } from '../sentence/tokens.ts';
import type { WordVectors } from '../sentence/word-vectors.ts';
import { type Edit, fieldOfError, withEdit } from './error-field.ts';
import { pageError, reportPageError } from './page-error.ts';
import { INITIAL, type LabState } from './state.ts';

export const state = signal<LabState>(INITIAL);
/** The latest figure that could be computed. */
export const figure = signal<Figure | undefined>(undefined);
/** The engine, once it is running. */
export const engine = signal<Pick<RemotePhasor, 'variant' | 'version' | 'encodings'> | undefined>(undefined);
/** Why the engine could not be started, as a sentence. */
export const failure = signal<string | undefined>(undefined);
/** Placeholder text until there are numbers. */
export const waiting = computed(() =>
  failure.value ? 'No numbers: the engine could not be started.' : 'Numbers appear when the engine has started.',
);
/** The error of the latest state, and the control at which to show it. */
export const inputError = signal<{ readonly field: string; readonly message: string; readonly shown: 'last' | 'plain' } | undefined>(
  undefined,
);
/** Errors that belong to no control: an invalid link, word vectors that failed to load. */
export const linkProblem = signal<string | undefined>(undefined);
export const vectorProblem = signal<string | undefined>(undefined);
/** True when a computation has been running for half a second. */
export const busy = signal(false);

export const text = computed(() => state.value.text);
export const encodingId = computed(() => state.value.encoding);
/** The user's order; empty for the original order. */
export const customOrder = computed(() => state.value.order);
export const words = computed(() => tokenize(text.value));
/** For each place the index of the word there. */
export const order = computed(() =>
  customOrder.value.length === words.value.length ? customOrder.value : identityOrder(words.value.length),
);
export const encoding = computed((): EncodingInfo | undefined => engine.value?.encodings.find(({ id }) => id === encodingId.value));
/** The matrix shown; computed, so that it changes only with its value. */
export const matrix = computed(() => state.value.matrix);
/** The selected head. */
export const head = computed(() => shownHead({ head: state.value.head, heads: (figure.value?.setting ?? state.value).heads }));

/** The controls edited since the last computed figure. */
let edits: readonly Edit[] = [];

/** Updates part of the state; `by` is the control. */
export function change(part: Partial<LabState>, by?: string): void {
  if (by !== undefined) edits = withEdit(edits, by);
  batch(() => {
    linkProblem.value = undefined;
    state.value = { ...state.value, ...part };
  });
}

/** Replaces the state, as from a link. */
export function replaceState(whole: LabState, problem: string | undefined): void {
  edits = [];
  batch(() => {
    state.value = whole;
    linkProblem.value = problem;
  });
}

/** Moves the word at place `from` to place `to`. */
export function moveWord(from: number, to: number): void {
  const next = moved(order.value, from, to);
  change({ order: isIdentity(next) ? [] : next });
}

/** A state to compute, with the edits that led to it: more may follow before the result arrives. */
interface Request {
  readonly setting: LabState;
  readonly edits: readonly Edit[];
}

/** The message of an error and its control. A repeated error stays at its control. */
function inputErrorOf({ message }: PhasorError, { edits }: Request): NonNullable<typeof inputError.value> {
  if (inputError.value?.message === message) return inputError.value;
  return { field: fieldOfError(message, edits), message, shown: figure.value ? 'last' : 'plain' };
}

/** Computes a figure now and whenever the state changes. */
export function computeOnChange(phasor: RemotePhasor, vectors: WordVectors): void {
  let slow: ReturnType<typeof setTimeout> | undefined;
  const settle = (): void => {
    clearTimeout(slow);
    slow = undefined;
    busy.value = false;
    vectorProblem.value = vectors.problem;
  };
  const compute = latestOnly(
    ({ setting }: Request) => computeFigure(setting, phasor, vectors),
    (done, request) => {
      edits = edits.filter((edit) => !request.edits.includes(edit));
      batch(() => {
        settle();
        figure.value = done;
        inputError.value = undefined;
        pageError.value = undefined;
      });
    },
    (thrown, request) => {
      batch(() => {
        settle();
        if (thrown instanceof PhasorError) inputError.value = inputErrorOf(thrown, request);
        else reportPageError(thrown);
      });
      const { text, order } = request.setting;
      // Show the sentence of a link even if its setting is invalid.
      if (!figure.value) {
        computeFigure({ ...INITIAL, text, order }, phasor, vectors).then(
          (plain) => {
            figure.value ??= plain;
          },
          () => {},
        );
      }
    },
    reportPageError,
  );
  effect(() => {
    const setting = state.value;
    slow ??= setTimeout(() => {
      busy.value = true;
    }, 500);
    compute({ setting, edits });
  });
}
