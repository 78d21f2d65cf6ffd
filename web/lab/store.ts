// What the page knows, as signals. Elements read them; only the functions here write them.
import { batch, computed, effect, signal } from '@preact/signals-core';
import { type EncodingInfo, PhasorError, type RemotePhasor } from '../engine/index.ts';
import { computeFigure, type Figure } from '../figure/compute.ts';
import { latestOnly } from '../figure/latest.ts';
import { isWritten, moved, written } from '../figure/order.ts';
import { shownHead } from '../figure/setting.ts';
import { tokenize } from '../figure/tokens.ts';
import type { WordVectors } from '../figure/word-vectors.ts';
import { blamed, type Touch, touchedNow } from './blame.ts';
import { pageFault, tellPageFault } from './page-fault.ts';
import { INITIAL, type LabState } from './state.ts';

export const state = signal<LabState>(INITIAL);
/** The newest figure that could be computed. */
export const figure = signal<Figure | undefined>(undefined);
/** The engine, once it runs. */
export const engine = signal<Pick<RemotePhasor, 'variant' | 'version' | 'encodings'> | undefined>(undefined);
/** Why there is no engine, as a sentence. */
export const failure = signal<string | undefined>(undefined);
/** What stands where numbers will be. */
export const waiting = computed(() =>
  failure.value ? 'No numbers: nothing can be computed.' : 'The numbers come when the core has started.',
);
/** What is wrong with the newest state, and at which control to say it. */
export const fault = signal<{ readonly field: string; readonly message: string; readonly shown: 'last' | 'plain' } | undefined>(undefined);
/** Sentences that belong to no control: a broken link, a list of words that did not load. */
export const linkProblem = signal<string | undefined>(undefined);
export const vectorProblem = signal<string | undefined>(undefined);
/** True when a figure has been under way for half a second. */
export const busy = signal(false);

export const text = computed(() => state.value.text);
export const encodingId = computed(() => state.value.encoding);
/** The order the reader made, empty when none. */
export const arrangement = computed(() => state.value.order);
export const words = computed(() => tokenize(text.value));
/** At each place the word that stands there, as an index into `words`. */
export const order = computed(() => (arrangement.value.length === words.value.length ? arrangement.value : written(words.value.length)));
export const encoding = computed((): EncodingInfo | undefined => engine.value?.encodings.find(({ id }) => id === encodingId.value));
/** The numbers that the reader wants to see; the same ones draw nothing anew. */
export const matrix = computed(() => state.value.matrix);
/** The head that is chosen. */
export const head = computed(() => shownHead({ head: state.value.head, heads: (figure.value?.setting ?? state.value).heads }));

/** The controls changed since the last figure that could be computed. */
let touches: readonly Touch[] = [];

/** Changes some of the state; `by` names the control. */
export function change(part: Partial<LabState>, by?: string): void {
  if (by !== undefined) touches = touchedNow(touches, by);
  batch(() => {
    linkProblem.value = undefined;
    state.value = { ...state.value, ...part };
  });
}

/** Takes over a state that no control has made. */
export function takeOver(whole: LabState, problem: string | undefined): void {
  touches = [];
  batch(() => {
    state.value = whole;
    linkProblem.value = problem;
  });
}

/** Moves the word at one place to another. */
export function moveWord(from: number, to: number): void {
  const next = moved(order.value, from, to);
  change({ order: isWritten(next) ? [] : next });
}

/** A state to be computed, with the controls that made it: by the time of the answer the reader may be at another one. */
interface Request {
  readonly setting: LabState;
  readonly touches: readonly Touch[];
}

/** What an error says, and where. An old error stays where it is. */
function faultOf({ message }: PhasorError, { touches }: Request): NonNullable<typeof fault.value> {
  if (fault.value?.message === message) return fault.value;
  return { field: blamed(message, touches), message, shown: figure.value ? 'last' : 'plain' };
}

/** Computes a figure whenever the state changes, from now on. */
export function computeAlways(phasor: RemotePhasor, vectors: WordVectors): void {
  let slow: ReturnType<typeof setTimeout> | undefined;
  const settle = (): void => {
    clearTimeout(slow);
    slow = undefined;
    busy.value = false;
    vectorProblem.value = vectors.problem;
  };
  const ask = latestOnly(
    ({ setting }: Request) => computeFigure(setting, phasor, vectors),
    (done, request) => {
      touches = touches.filter((touch) => !request.touches.includes(touch));
      batch(() => {
        settle();
        figure.value = done;
        fault.value = undefined;
        pageFault.value = undefined;
      });
    },
    (thrown, request) => {
      batch(() => {
        settle();
        if (thrown instanceof PhasorError) fault.value = faultOf(thrown, request);
        else tellPageFault(thrown);
      });
      const { text, order } = request.setting;
      // A link that cannot be computed still shows its sentence.
      if (!figure.value) {
        computeFigure({ ...INITIAL, text, order }, phasor, vectors).then(
          (plain) => {
            figure.value ??= plain;
          },
          () => {},
        );
      }
    },
    tellPageFault,
  );
  effect(() => {
    const setting = state.value;
    slow ??= setTimeout(() => {
      busy.value = true;
    }, 500);
    ask({ setting, touches });
  });
}
