// Keeps the URL of the page and the state in sync. Besides the link to a state (state/link.ts) there are '#config', which opens the dialog for a
// config.json, and '#lecture/...', the steps of a lecture (state/lecture-link.ts).
import { effect } from '@preact/signals-core';
import { openConfig } from '../config/later-config.ts';
import { presetNow } from '../presets/later-presets.ts';
import { readLecture } from '../state/lecture-link.ts';
import { printLink, type ReadLink, readLink } from '../state/link.ts';
import { linkedParams } from '../state/link-params.ts';
import { reportPageError } from '../state/page-error.ts';
import { INITIAL, type LabState } from '../state/state.ts';
import { engine, failure, inputError, linkProblem, replaceState, sentence, state } from '../state/store.ts';

/** The URL is updated after this pause (ms), not for every step of a drag. */
const PAUSE = 250;

const CONFIG = '#config';

/** Every view is a history entry: Back returns to the previous encoding, question or comparison. */
const opened = ({ encoding, question, view, tour }: LabState): string =>
  `${encoding} ${question} ${view} ${tour} ${presetNow.peek()?.id ?? ''}`;

/** The link to the latest state that could be computed; undefined without one. */
let valid: string | undefined;

/** The link to the displayed state: a rejected value is never included. */
export const linkNow = (): string => (inputError.peek() ? (valid ?? location.hash.slice(1)) : printLink(state.peek()));

/** The URL of this page with a fragment, '' or one that starts with '#'. */
export const pageAddress = (hash: string): string => location.href.split('#')[0] + hash;

/** The URL of the displayed state. */
export function addressNow(): string {
  const link = linkNow();
  return pageAddress(link ? `#${link}` : '');
}

/** Applies a state, without the parameters that its encoding does not have, once the engine is running. */
function take({ state: linked, problem }: ReadLink): void {
  const info = engine.peek()?.encodings.find(({ id }) => id === linked.encoding);
  const { params, problem: wrong } = info ? linkedParams(linked.params, info) : { params: linked.params };
  const sentences = [problem, wrong].filter((sentence) => sentence !== undefined);
  replaceState({ ...linked, params }, sentences.join(' ') || undefined);
}

/** Most visits have no lecture. */
async function keepLecture(links: readonly string[]): Promise<void> {
  try {
    (await import('../state/saved.ts')).saveLecture(links);
  } catch (thrown) {
    reportPageError(thrown);
  }
}

function readAddress(): void {
  const { hash } = location;
  if (hash === CONFIG) {
    void openConfig();
    return;
  }
  const lecture = readLecture(hash);
  if (lecture) void keepLecture(lecture);
  take(readLink(lecture ? (lecture[0] as string) : hash));
}

/** Whether it is unknown if the state can be computed: a sentence far from the viewport computes nothing, nor does one without an engine. */
function isUnsettled(): boolean {
  const figure = sentence.peek();
  if (!figure?.active.peek() || failure.peek() !== undefined) return false;
  return figure.state.peek() === 'computing' || figure.computed.peek()?.spec !== figure.spec.peek();
}

let written = '';

function writeAddress(): void {
  if (inputError.peek() || isUnsettled()) return;
  valid = printLink(state.peek());
  const now = opened(state.peek());
  const isStep = written !== '' && now !== written;
  written = now;
  if (addressNow() === location.href) return;
  try {
    history[isStep ? 'pushState' : 'replaceState'](history.state, '', addressNow());
  } catch {
    // Some browsers do not allow changing the URL of a local file.
  }
}

/**
 * Reads the URL now and whenever the user changes it, and updates it whenever the state changes. Without a link it may be called late: changes until
 * then are kept, and written.
 */
export function followAddress(): void {
  if (location.hash !== '') readAddress();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asRead = location.hash === '' ? INITIAL : state.peek();
  written = opened(asRead);
  effect(() => {
    if (!engine.value) return;
    const untouched = state.peek() === asRead;
    take({ state: state.peek(), problem: linkProblem.peek() });
    if (untouched) asRead = state.peek();
  });
  effect(() => {
    // A pending state is written when its numbers are computed.
    const isReady = sentence.value?.state.value === 'ready' && !inputError.value;
    // A link stays unchanged until something changes.
    if (state.value === asRead) {
      if (isReady) valid = printLink(asRead);
      return;
    }
    clearTimeout(timer);
    timer = setTimeout(writeAddress, PAUSE);
  });
  effect(() => {
    // A preset that has become known by name is no step of the reader.
    if (presetNow.value && addressNow() === location.href) written = opened(state.peek());
  });
  addEventListener('hashchange', () => {
    readAddress();
    if (location.hash === CONFIG) {
      // The dialog covers the displayed state, whose link is restored.
      history.replaceState(history.state, '', addressNow());
      return;
    }
    written = opened(state.peek());
    asRead = state.peek();
    clearTimeout(timer);
  });
}
