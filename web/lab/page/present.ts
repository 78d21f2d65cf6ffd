// Presenting: the sentence and one view fill the window, arrow keys step through what was saved.
import { signal } from '@preact/signals-core';
import { arranged, questionOf, shows } from '../questions/questions.ts';
import { printLink, readLink } from '../state/link.ts';
import { savedLinks } from '../state/saved.ts';
import { change, encoding, replaceState, state } from '../state/store.ts';

export const presenting = signal(false);

/** Steps through saved links; without any through the views of the open question. */
function step(by: number): void {
  const links = savedLinks.peek();
  if (links.length > 0) {
    const at = links.indexOf(printLink(state.peek()));
    const next = links[at < 0 ? (by > 0 ? 0 : links.length - 1) : (at + by + links.length) % links.length] as string;
    const { state: linked, problem } = readLink(next);
    replaceState(linked, problem);
    return;
  }
  const now = encoding.peek();
  if (!now) return;
  const question = questionOf(state.peek().question);
  const views = question.views.filter((view) => shows(view, now));
  const at = views.indexOf(arranged(question, state.peek().view, now).large);
  const next = views[(at + by + views.length) % views.length];
  if (next) change({ view: next.kind });
}

/** Keys that step; those of a figure, a field or a word stay theirs. */
function pressed(event: KeyboardEvent): void {
  if (event.key === 'Escape') present(false);
  if (event.altKey || event.ctrlKey || event.metaKey || event.target !== document.body) return;
  const by = { ArrowRight: 1, PageDown: 1, ' ': 1, ArrowLeft: -1, PageUp: -1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  step(by);
}

function left(): void {
  if (!document.fullscreenElement) present(false);
}

export function present(on: boolean): void {
  if (presenting.peek() === on) return;
  presenting.value = on;
  document.documentElement.toggleAttribute('data-present', on);
  const listen = on ? addEventListener : removeEventListener;
  listen('keydown', pressed as EventListener);
  document[on ? 'addEventListener' : 'removeEventListener']('fullscreenchange', left);
  if (on) {
    (document.activeElement as HTMLElement | null)?.blur();
    scrollTo(0, 0);
    // Where the browser or the page around forbids it, the window has to do.
    document.documentElement.requestFullscreen?.().catch(() => {});
  } else if (document.fullscreenElement) void document.exitFullscreen();
}
