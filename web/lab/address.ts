// The address of the page follows the state, and the state follows the address.
import { effect } from '@preact/signals-core';
import { choose } from './cursor.ts';
import { printLink, type ReadLink, readLink } from './link.ts';
import { linkedParams } from './link-params.ts';
import { engine, linkProblem, state, takeOver } from './store.ts';

/** The address is written when the reader has paused for so long (ms), never for every step of a drag. */
const PAUSE = 250;

/** The address of what is shown now. */
export function addressNow(): string {
  const link = printLink(state.peek());
  const [page = ''] = location.href.split('#');
  return link ? `${page}#${link}` : page;
}

/** Takes over a state, but for the parameters its encoding cannot take, once the core has said which it has. */
function take({ state: linked, problem }: ReadLink): void {
  const info = engine.peek()?.encodings.find(({ id }) => id === linked.encoding);
  const { params, problem: wrong } = info ? linkedParams(linked.params, info) : { params: linked.params };
  const sentences = [problem, wrong].filter((sentence) => sentence !== undefined);
  takeOver({ ...linked, params }, sentences.join(' ') || undefined);
}

function readAddress(): void {
  take(readLink(location.hash));
  choose(undefined);
}

function writeAddress(): void {
  if (addressNow() === location.href) return;
  try {
    history.replaceState(history.state, '', addressNow());
  } catch {
    // Some browsers keep the address of a file on disk as it is.
  }
}

/** Reads the address now and whenever the reader changes it, and writes it whenever the state has changed. */
export function followAddress(): void {
  readAddress();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asRead = state.peek();
  effect(() => {
    if (!engine.value) return;
    const untouched = state.peek() === asRead;
    take({ state: state.peek(), problem: linkProblem.peek() });
    if (untouched) asRead = state.peek();
  });
  effect(() => {
    // A link stays as it was written until something changes.
    if (state.value === asRead) return;
    clearTimeout(timer);
    timer = setTimeout(writeAddress, PAUSE);
  });
  addEventListener('hashchange', () => {
    readAddress();
    asRead = state.peek();
    clearTimeout(timer);
  });
}
