// The page's state as signals, and the functions that change it. Elements do not set the state directly.

import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals-core';
import { joinWithOr } from '../../charts/english.ts';
import type { EncodingInfo, RemotePhasor } from '../../engine/index.ts';
import type { Results, Spec } from '../../figure/kinds/sentence/compute.ts';
import type { Figure } from '../../figure/runtime/controller.ts';
import type { RejectedValue } from '../../figure/runtime/link-group.ts';
import type { Failure } from '../../figure/runtime/outcome.ts';
import { tokenize } from '../../sentence/tokens.ts';
import { appendEdit, type ControlEdit, findErrorField } from './error-field.ts';
import { type Outcome, toOutcome } from './outcome.ts';
import { pageError } from './page-error.ts';
import { INITIAL_STATE, type LabState } from './state.ts';

interface CoreError {
  readonly message: string;
  /** The controls that may have caused the error, most likely first. */
  readonly controls: readonly string[];
  /** The name of the argument that the core rejected. */
  readonly argument?: string | undefined;
}

const listDivisors = (dim: number): string[] =>
  Array.from({ length: dim }, (_, index) => index + 1)
    .filter((count) => dim % count === 0)
    .map(String);

const isPositionArgument = (argument: string): boolean => argument.startsWith('positions[');

/** Converts an error from the core: replaces some messages, and adds the controls that may have caused the error. */
function toCoreError({ field, argument = '', value, allowed, message }: Failure, { dim }: Pick<LabState, 'dim'>): CoreError {
  if (argument === 'heads' && typeof value === 'number' && allowed === undefined && dim % value !== 0) {
    const divisorMessage = `dim ${dim} is not divisible by ${value}; try ${joinWithOr.format(listDivisors(dim))}`;
    return { message: `heads: ${divisorMessage}`, controls: ['heads', 'dim'], argument };
  }
  // positionOffset is the first word's position, so its control shows errors about positions.
  if (isPositionArgument(argument))
    return { message: `positionOffset: position${message.slice(argument.length + 1)}`, controls: ['positionOffset'], argument };
  return { message, controls: [field], argument };
}

/** An error in the user's settings, and the control at which to show it. */
export interface InputError {
  readonly field: string;
  readonly message: string;
  /** The name of the argument that the core rejected. */
  readonly argument?: string | undefined;
}

export const state = signal<LabState>(INITIAL_STATE);
export const outcome = signal<Outcome | undefined>(undefined);
/** The sentence figure; undefined until it is created. */
export const sentenceFigure = signal<Figure | undefined>(undefined);
export const readout = signal('');
/** The engine; undefined until it is running. */
export const engine = signal<
  Pick<RemotePhasor, 'variant' | 'version' | 'encodings' | 'encodingFromConfig' | 'layersFromConfig' | 'selfAttention'> | undefined
>(undefined);
/** The error message if the engine could not be started or has stopped; otherwise undefined. */
export const engineFailure = signal<string | undefined>(undefined);
export const inputError = signal<InputError | undefined>(undefined);
/** The problems in the page's link, as sentences. */
export const linkProblem = signal<string | undefined>(undefined);
/** Whether a computation has been running for half a second. */
export const isSlow = signal(false);

export const text = computed(() => state.value.text);
export const encodingId = computed(() => state.value.encoding);
/** The word order set by the user; empty for the original order. */
export const customOrder = computed(() => state.value.order);
export const words = computed(() => tokenize(text.value));
export const encoding = computed((): EncodingInfo | undefined => engine.value?.encodings.find(({ id }) => id === encodingId.value));

/** The edits since the last successful computation. */
let edits: readonly ControlEdit[] = [];

/** Updates part of the state. `controlId` is the id of the control that caused the change. */
export function change(changes: Partial<LabState>, controlId?: string): void {
  if (controlId !== undefined) edits = appendEdit(edits, controlId);
  batch(() => {
    linkProblem.value = undefined;
    state.value = { ...state.value, ...changes };
  });
}

export function replaceState(newState: LabState, problem: string | undefined): void {
  edits = [];
  batch(() => {
    state.value = newState;
    linkProblem.value = problem;
  });
}

/** Assigns an error to a control. A repeated error stays at the same control. */
function toInputError(failure: Failure): InputError {
  const previousError = inputError.peek();
  const { message, controls, argument } = toCoreError(failure, state.peek());
  return previousError?.message === message ? previousError : { field: findErrorField(controls, edits), argument, message };
}

/** Converts a value that the sentence figure rejects to an error at the field's control. */
const toRejectionError = ({ field, reason }: RejectedValue): InputError => ({ field, argument: field, message: `${field}: ${reason}` });

/** Updates the page's signals from the sentence figure's results, errors and progress. */
export function followSentence(live: ReadonlySignal<Figure | undefined>): () => void {
  let busyTimer: ReturnType<typeof setTimeout> | undefined;
  const stopEffects = [
    effect(() => {
      sentenceFigure.value = live.value;
    }),
    effect(() => {
      // The sentence figure is computed even if it is out of view, because other elements display its results and errors.
      const figure = sentenceFigure.value;
      if (figure?.spec.value) figure.ready().catch(() => {});
    }),
    effect(() => {
      const result = sentenceFigure.value?.computed.value;
      if (!result) return;
      const { spec, results } = result as { spec: Spec; results: Results };
      const encodingInfo = sentenceFigure
        .peek()
        ?.encodings.peek()
        .find(({ id }) => id === spec.encoding.id);
      if (!encodingInfo) return;
      batch(() => {
        outcome.value = toOutcome(spec, results, encodingInfo);
        pageError.value = undefined;
      });
    }),
    effect(() => {
      const figure = sentenceFigure.value;
      const result = figure?.computed.value;
      if (figure && result) readout.value = figure.kind.readout(result.results, result.spec, figure.cursor.value);
    }),
    effect(() => {
      const figure = sentenceFigure.value;
      const figureState = figure?.state.value;
      const figureFailure = figure?.failure.value;
      if (figure) engineFailure.value = figureFailure?.isEngineFailure ? figureFailure.message : undefined;
      if (figureState === 'computing') {
        busyTimer ??= setTimeout(() => {
          isSlow.value = true;
        }, 500);
        return;
      }
      clearTimeout(busyTimer);
      busyTimer = undefined;
      const [rejectedValue] = figure?.rejectedValues.value ?? [];
      batch(() => {
        isSlow.value = false;
        // Without an engine, the input is not the cause of the error.
        if (engineFailure.peek() !== undefined) inputError.value = undefined;
        else if (figureFailure) inputError.value = toInputError(figureFailure);
        else inputError.value = rejectedValue && toRejectionError(rejectedValue);
      });
      if (figureState === 'ready') edits = [];
    }),
  ];
  return () => {
    clearTimeout(busyTimer);
    for (const stopEffect of stopEffects) stopEffect();
  };
}
