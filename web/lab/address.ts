// The address of the page follows the state, and the state follows the address.
import { effect } from '@preact/signals-core';
import { choose } from './cursor.ts';
import { printLink, readLink } from './link.ts';
import { state, takeOver } from './store.ts';

/** The address is written when the reader has paused for so long (ms), never for every step of a drag. */
const PAUSE = 250;

/** The address of what is shown now. */
export function addressNow(): string {
  const link = printLink(state.peek());
  const [page = ''] = location.href.split('#');
  return link ? `${page}#${link}` : page;
}

/** Takes over the state of the address. */
function readAddress(): void {
  const { state: linked, problem } = readLink(location.hash);
  takeOver(linked, problem);
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
    // A link stays as it was written until something changes.
    if (state.value === asRead) return;
    clearTimeout(timer);
    timer = setTimeout(writeAddress, PAUSE);
  });
  addEventListener('hashchange', () => {
    clearTimeout(timer);
    readAddress();
    asRead = state.peek();
  });
}
