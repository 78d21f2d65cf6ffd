// Keeps the URL of the page and the state in sync.
import { effect } from '@preact/signals-core';
import { presetNow } from '../presets/later-presets.ts';
import { printLink, type ReadLink, readLink } from '../state/link.ts';
import { linkedParams } from '../state/link-params.ts';
import { INITIAL, type LabState } from '../state/state.ts';
import { engine, folded, linkProblem, replaceState, state } from '../state/store.ts';

/** The URL is updated after this pause (ms), not for every step of a drag. */
const PAUSE = 250;

/** What is open is a step of the history: Back leads to the question, or to the comparison, before. */
const opened = ({ question, view, tour }: LabState): string => `${question} ${view} ${tour} ${presetNow.peek()?.id ?? ''}`;

/** The URL of the current state. */
export function addressNow(): string {
  const link = printLink(state.peek());
  const [page = ''] = location.href.split('#');
  return link ? `${page}#${link}` : page;
}

/** Applies a state, without the parameters that its encoding does not have, once the engine is running. */
function take({ state: linked, problem }: ReadLink): void {
  const info = engine.peek()?.encodings.find(({ id }) => id === linked.encoding);
  const { params, problem: wrong } = info ? linkedParams(linked.params, info) : { params: linked.params };
  const sentences = [problem, wrong].filter((sentence) => sentence !== undefined);
  replaceState({ ...linked, params }, sentences.join(' ') || undefined);
}

function readAddress(): void {
  const link = readLink(location.hash);
  take(link);
  // A link to a question is a link to its figures.
  if (link.state.question !== INITIAL.question || link.state.view !== INITIAL.view || link.state.tour !== INITIAL.tour) folded.value = true;
}

let written = '';

function writeAddress(): void {
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

/** Reads the URL now and whenever the user changes it, and updates it whenever the state changes. */
export function followAddress(): void {
  readAddress();
  written = opened(state.peek());
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asRead = state.peek();
  effect(() => {
    if (!engine.value) return;
    const untouched = state.peek() === asRead;
    take({ state: state.peek(), problem: linkProblem.peek() });
    if (untouched) asRead = state.peek();
  });
  effect(() => {
    // A link stays as it is until something changes.
    if (state.value === asRead) return;
    clearTimeout(timer);
    timer = setTimeout(writeAddress, PAUSE);
  });
  effect(() => {
    // That a preset is known by its name now is no step of the reader.
    if (presetNow.value && addressNow() === location.href) written = opened(state.peek());
  });
  addEventListener('hashchange', () => {
    readAddress();
    written = opened(state.peek());
    asRead = state.peek();
    clearTimeout(timer);
  });
}
