// Presenting: the sentence and one view fill the window, and arrow keys step through the saved steps.
import { computed, signal } from '@preact/signals-core';
import { arranged, shows } from '../questions/arrangement.ts';
import { questionOf, type View } from '../questions/questions.ts';
import { printLink, readLink } from '../state/link.ts';
import { savedLinks } from '../state/saved.ts';
import { change, encoding, replaceState, state } from '../state/store.ts';

export const presenting = signal(false);

/** The last displayed step of the lecture, which remains the current step after changes by the reader, such as another encoding. */
const shown = signal<string | undefined>(undefined);

/** The views of the open question, and the large view. */
function viewsNow(): { readonly views: readonly View[]; readonly large: View } | undefined {
  const now = encoding.value;
  if (!now) return undefined;
  const question = questionOf(state.value.question);
  return { views: question.views.filter((view) => shows(view, now)), large: arranged(question, state.value.view, now).large };
}

/**
 * The number of the step in the lecture, counted from 1, or of the view in the question if no step was saved; 0 before the start of the lecture.
 */
export const stepNow = computed((): { readonly at: number; readonly of: number } | undefined => {
  const links = savedLinks.value;
  if (links.length > 0) {
    const at = links.indexOf(printLink(state.value));
    return { at: (at < 0 ? links.indexOf(shown.value ?? '-') : at) + 1, of: links.length };
  }
  const now = viewsNow();
  return now && now.views.length > 1 ? { at: now.views.indexOf(now.large) + 1, of: now.views.length } : undefined;
});

export function showStep(link: string): void {
  shown.value = link;
  const { state: linked, problem } = readLink(link);
  replaceState(linked, problem);
}

/** Steps through saved links, or through the views of the open question if there are none. */
function step(by: number): void {
  const links = savedLinks.peek();
  if (links.length > 0) {
    const at = (stepNow.peek()?.at ?? 0) - 1;
    showStep(links[at < 0 ? (by > 0 ? 0 : links.length - 1) : (at + by + links.length) % links.length] as string);
    return;
  }
  const now = viewsNow();
  if (!now) return;
  const { views, large } = now;
  const next = views[(views.indexOf(large) + by + views.length) % views.length];
  if (next) change({ view: next.kind });
}

/** Handles keys for stepping, unless a figure, a field or a word uses them. */
function onKeydown(event: KeyboardEvent): void {
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
  shown.value = on ? printLink(state.peek()) : undefined;
  document.documentElement.toggleAttribute('data-present', on);
  const listen = on ? addEventListener : removeEventListener;
  listen('keydown', onKeydown as EventListener);
  document[on ? 'addEventListener' : 'removeEventListener']('fullscreenchange', left);
  if (on) {
    (document.activeElement as HTMLElement | null)?.blur();
    scrollTo(0, 0);
    // If the browser or the embedding page forbids fullscreen, the presentation fills the window.
    document.documentElement.requestFullscreen?.().catch(() => {});
  } else if (document.fullscreenElement) void document.exitFullscreen();
}
