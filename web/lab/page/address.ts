// Synchronizes the page's URL with the state. The fragment is a link to a state (state/link.ts), '#config', which opens the dialog for a
// config.json, or '#lecture/...' with the steps of a lecture (state/lecture-link.ts).
import { effect } from '@preact/signals-core';
import { openConfig } from '../config/later-config.ts';
import { activePreset } from '../presets/later-presets.ts';
import { parseLecture } from '../state/lecture-link.ts';
import { type ParsedLink, parseLink, printLink } from '../state/link.ts';
import { checkLinkedParams } from '../state/link-params.ts';
import { reportPageError } from '../state/page-error.ts';
import { INITIAL_STATE, type LabState } from '../state/state.ts';
import { engine, engineFailure, inputError, linkProblem, replaceState, sentenceFigure, state } from '../state/store.ts';

/** Delay in ms before the URL is updated, so that a drag does not update it continuously. */
const URL_DELAY_MS = 250;

const CONFIG_HASH = '#config';

/**
 * Returns a key for the browser history. When the key changes, a history entry is added, so that Back returns to the previous encoding,
 * question or comparison.
 */
const historyKey = ({ encoding, question, view, tour }: LabState): string =>
  `${encoding} ${question} ${view} ${tour} ${activePreset.peek()?.id ?? ''}`;

/** The link to the latest state that was computed successfully; undefined until there is one. */
let lastValidLink: string | undefined;

/** Returns the link to the displayed state. The link never includes a rejected value. */
export const currentLink = (): string => (inputError.peek() ? (lastValidLink ?? location.hash.slice(1)) : printLink(state.peek()));

/** Returns the URL of this page with another fragment, which is empty or starts with '#'. */
export const pageAddress = (hash: string): string => location.href.split('#')[0] + hash;

export function currentAddress(): string {
  const link = currentLink();
  return pageAddress(link ? `#${link}` : '');
}

/** Applies the state of a link. Unknown parameters are dropped if the engine is already running. */
function applyLink({ state: linkedState, problem }: ParsedLink): void {
  const encodingInfo = engine.peek()?.encodings.find(({ id }) => id === linkedState.encoding);
  const { params, problem: paramProblem } = encodingInfo
    ? checkLinkedParams(linkedState.params, encodingInfo)
    : { params: linkedState.params };
  const problems = [problem, paramProblem].filter((sentence) => sentence !== undefined);
  replaceState({ ...linkedState, params }, problems.join(' ') || undefined);
}

/** Saves the steps of a lecture. The module is loaded on demand, because most visits have no lecture. */
async function saveLectureSteps(links: readonly string[]): Promise<void> {
  try {
    (await import('../state/saved.ts')).saveLecture(links);
  } catch (thrown) {
    reportPageError(thrown);
  }
}

function readAddress(): void {
  const { hash } = location;
  if (hash === CONFIG_HASH) {
    void openConfig();
    return;
  }
  const lecture = parseLecture(hash);
  if (lecture) void saveLectureSteps(lecture);
  applyLink(parseLink(lecture ? (lecture[0] as string) : hash));
}

/** Whether the current state has not been computed yet, so that it may still be rejected. */
function isUnsettled(): boolean {
  const figure = sentenceFigure.peek();
  if (!figure?.isActive.peek() || engineFailure.peek() !== undefined) return false;
  return figure.state.peek() === 'computing' || figure.computed.peek()?.spec !== figure.spec.peek();
}

let writtenHistoryKey = '';

function writeAddress(): void {
  if (inputError.peek() || isUnsettled()) return;
  lastValidLink = printLink(state.peek());
  const currentHistoryKey = historyKey(state.peek());
  const isNavigationStep = writtenHistoryKey !== '' && currentHistoryKey !== writtenHistoryKey;
  writtenHistoryKey = currentHistoryKey;
  if (currentAddress() === location.href) return;
  try {
    history[isNavigationStep ? 'pushState' : 'replaceState'](history.state, '', currentAddress());
  } catch {
    // Some browsers do not allow changing the URL of a local file.
  }
}

/** Keeps the URL and the state synchronized. A URL without a link receives a link to the current state. */
export function synchronizeAddress(): void {
  if (location.hash !== '') readAddress();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stateInUrl = location.hash === '' ? INITIAL_STATE : state.peek();
  writtenHistoryKey = historyKey(stateInUrl);
  effect(() => {
    if (!engine.value) return;
    const isUnchanged = state.peek() === stateInUrl;
    applyLink({ state: state.peek(), problem: linkProblem.peek() });
    if (isUnchanged) stateInUrl = state.peek();
  });
  effect(() => {
    // Also depends on the figure, because the URL changes when the result has been computed.
    const isReady = sentenceFigure.value?.state.value === 'ready' && !inputError.value;
    // Keeps the original link in the URL until the state changes.
    if (state.value === stateInUrl) {
      if (isReady) lastValidLink = printLink(stateInUrl);
      return;
    }
    clearTimeout(timer);
    timer = setTimeout(writeAddress, URL_DELAY_MS);
  });
  effect(() => {
    // If the presets load after the URL was written, the changed key does not count as navigation.
    if (activePreset.value && currentAddress() === location.href) writtenHistoryKey = historyKey(state.peek());
  });
  addEventListener('hashchange', () => {
    readAddress();
    if (location.hash === CONFIG_HASH) {
      // The URL of the displayed state replaces '#config'.
      history.replaceState(history.state, '', currentAddress());
      return;
    }
    writtenHistoryKey = historyKey(state.peek());
    stateInUrl = state.peek();
    clearTimeout(timer);
  });
}
