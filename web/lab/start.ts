// Starts the Lab: first the elements of the first picture, then all others (later.ts). The website and the single-file page differ only in
// the sources of the engine and the data.
import { effect } from '@preact/signals-core';
import { PhasorError } from '../engine/errors.ts';
import { defineFigure } from '../figure/element/define-figure.ts';
import type { PhasorFigure } from '../figure/element/element.ts';
import { PageServices, type ServiceSources } from '../figure/runtime/services.ts';
import { define } from './element.ts';
import { getEncodingNoun } from './nouns.ts';
import { chooseSentenceHeight } from './page/sentence-height.ts';
import { Badge, Readout, StoryLine } from './page/story.ts';
import { listenForPageErrors, reportPageError } from './state/page-error.ts';
import { LINK_GROUP, shareState } from './state/sharing.ts';
import { engine, engineFailure, followSentence, inputError, outcome } from './state/store.ts';

/** Maximum time in ms that the rest of the page waits for the first picture, because the engine may start slowly. */
const MAX_WAIT_MS = 2000;

/** Applies the link in the URL. If its state is not the initial one, removes the static picture of the initial state. */
async function applyPageLink(): Promise<void> {
  try {
    const { synchronizeAddress, currentLink } = await import('./page/address.ts');
    synchronizeAddress();
    if (currentLink() !== '') document.querySelector('.first-sentence')?.remove();
  } catch (thrown) {
    reportPageError(thrown);
  }
}

/** Yields to the event loop, so that the page can respond and draw. */
const waitForNextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Resolves when the sentence is computed, when its computation fails, or after MAX_WAIT_MS. */
async function waitForFirstPicture(): Promise<void> {
  let stopEffect = (): void => {};
  await new Promise<void>((resolve) => {
    setTimeout(resolve, MAX_WAIT_MS);
    stopEffect = effect(() => {
      if (outcome.value || inputError.value || engineFailure.value) resolve();
    });
  });
  stopEffect();
}

export async function startLab(sources: ServiceSources): Promise<void> {
  listenForPageErrors();
  await waitForNextTask();
  const pageServices = new PageServices({ ...sources, nameOf: getEncodingNoun });
  // The page receives the engine before the figures do, so that it can validate the link.
  const services = pageServices.acquire();
  services.engine().then(
    (phasor) => {
      engine.value = phasor;
    },
    (thrown: unknown) => {
      engineFailure.value = PhasorError.from(thrown).message;
    },
  );
  // After a restart, the page uses the new engine. The sentence figure reports failures.
  effect(() => {
    if (services.restartCount.value === 0) return;
    services.engine().then(
      (phasor) => {
        engine.value = phasor;
      },
      () => {},
    );
  });
  await waitForNextTask();
  // Most URLs contain no link, so the module that parses links is loaded early only if there is one.
  const hasLink = location.hash !== '';
  if (hasLink) await applyPageLink();
  await waitForNextTask();
  shareState(services.joinGroup(LINK_GROUP));
  const sentence = document.querySelector('#sentence') as PhasorFigure;
  sentence.setAttribute('max-height', String(chooseSentenceHeight(innerHeight)));
  defineFigure(pageServices, import.meta.url);
  followSentence(sentence.live);
  await waitForNextTask();
  define('ph-story', StoryLine);
  define('ph-badge', Badge);
  define('ph-readout', Readout);
  await waitForFirstPicture();
  await waitForNextTask();
  try {
    (await import('./later.ts')).defineRemainingElements();
    if (!hasLink) await applyPageLink();
  } catch (thrown) {
    reportPageError(thrown);
  }
}
