// Presentation mode: the sentence and one figure fill the window, and the arrow keys move through the saved steps.
import { computed, signal } from '@preact/signals-core';
import { arrangeViews, supports } from '../questions/arrangement.ts';
import { findQuestion, type View } from '../questions/questions.ts';
import { parseLink, printLink } from '../state/link.ts';
import { savedLinks } from '../state/saved.ts';
import { change, encoding, replaceState, state } from '../state/store.ts';

export const isPresenting = signal(false);

/** The lecture step that was shown last. It stays the current step when the user changes settings. */
const shownLink = signal<string | undefined>(undefined);

/** Returns the current question's views that support the encoding, and its large view. */
function findCurrentViews(): { readonly views: readonly View[]; readonly largeView: View } | undefined {
  const encodingInfo = encoding.value;
  if (!encodingInfo) return undefined;
  const question = findQuestion(state.value.question);
  return {
    views: question.views.filter((view) => supports(view, encodingInfo)),
    largeView: arrangeViews(question, state.value.view, encodingInfo).largeView,
  };
}

/** The current step, from 1 to `stepCount`, or 0 before the first step. If no steps are saved, the current question's views are the steps. */
export const currentStep = computed((): { readonly stepNumber: number; readonly stepCount: number } | undefined => {
  const links = savedLinks.value;
  if (links.length > 0) {
    const index = links.indexOf(printLink(state.value));
    return { stepNumber: (index < 0 ? links.indexOf(shownLink.value ?? '-') : index) + 1, stepCount: links.length };
  }
  const currentLayout = findCurrentViews();
  return currentLayout && currentLayout.views.length > 1
    ? { stepNumber: currentLayout.views.indexOf(currentLayout.largeView) + 1, stepCount: currentLayout.views.length }
    : undefined;
});

export function showStep(link: string): void {
  shownLink.value = link;
  const { state: linkedState, problem } = parseLink(link);
  replaceState(linkedState, problem);
}

/** Moves to another saved step or, if none are saved, to another view of the current question. */
function moveStep(offset: number): void {
  const links = savedLinks.peek();
  if (links.length > 0) {
    const index = (currentStep.peek()?.stepNumber ?? 0) - 1;
    showStep(links[index < 0 ? (offset > 0 ? 0 : links.length - 1) : (index + offset + links.length) % links.length] as string);
    return;
  }
  const currentLayout = findCurrentViews();
  if (!currentLayout) return;
  const { views, largeView } = currentLayout;
  const nextView = views[(views.indexOf(largeView) + offset + views.length) % views.length];
  if (nextView) change({ view: nextView.kind });
}

/** Ends the presentation with Escape. Handles the keys that change the step, unless an element has the focus. */
function onKeydown(event: KeyboardEvent): void {
  if (event.key === 'Escape') setPresenting(false);
  if (event.altKey || event.ctrlKey || event.metaKey || event.target !== document.body) return;
  const offset = { ArrowRight: 1, PageDown: 1, ' ': 1, ArrowLeft: -1, PageUp: -1 }[event.key];
  if (offset === undefined) return;
  event.preventDefault();
  moveStep(offset);
}

function onFullscreenChange(): void {
  if (!document.fullscreenElement) setPresenting(false);
}

export function setPresenting(isEnabled: boolean): void {
  if (isPresenting.peek() === isEnabled) return;
  isPresenting.value = isEnabled;
  shownLink.value = isEnabled ? printLink(state.peek()) : undefined;
  document.documentElement.toggleAttribute('data-present', isEnabled);
  const toggleListener = isEnabled ? addEventListener : removeEventListener;
  toggleListener('keydown', onKeydown as EventListener);
  document[isEnabled ? 'addEventListener' : 'removeEventListener']('fullscreenchange', onFullscreenChange);
  if (isEnabled) {
    (document.activeElement as HTMLElement | null)?.blur();
    scrollTo(0, 0);
    // The browser or the embedding page may block fullscreen. The presentation then fills only the window.
    document.documentElement.requestFullscreen?.().catch(() => {});
  } else if (document.fullscreenElement) void document.exitFullscreen();
}
