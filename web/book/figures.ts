// Replaces the static pictures on a page with interactive figures.

import { onDemandKindSource } from '../figure/contract/kinds-on-demand.ts';
import { SpecError } from '../figure/contract/spec.ts';
import { defineFigure } from '../figure/element/define-figure.ts';
import type { PhasorFigure } from '../figure/element/element.ts';
import { getSiteScriptUrl } from '../figure/element/site-script.ts';
import { createCorpusLoader, createModelLoader } from '../figure/runtime/data-files.ts';
import { createSiteModelOpener, createTrainer, diagnose, startEngine } from '../figure/runtime/engine.ts';
import { PhotographFile } from '../figure/runtime/photographs.ts';
import { PageServices } from '../figure/runtime/services.ts';
import { WordVectors } from '../sentence/word-vectors.ts';
import { createLabLink } from './lab-link.ts';
import { applyReaderSentence } from './own-sentence.ts';
import { fromRoot } from './site.ts';

/** Events that fire before a link is opened, copied or dragged. */
const LINK_EVENTS = ['pointerdown', 'focusin', 'click'] as const;

function updateLabLink({ target }: Event): void {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('.book-figure a.lab') : null;
  const figure = link?.closest('.book-figure')?.querySelector<PhasorFigure>('phasor-figure')?.live?.value;
  const spec = figure?.spec.peek();
  if (link && figure && spec && !(spec instanceof SpecError)) link.hash = createLabLink(figure.kind, spec);
}

function updateLabLinks(): void {
  for (const type of LINK_EVENTS) document.addEventListener(type, updateLabLink, { capture: true });
}

const getDataUrl = (name: string): URL => fromRoot(`data/${name}`);

const services = new PageServices({
  startEngine,
  createTrainer,
  diagnose,
  corpus: createCorpusLoader(getDataUrl('pride-and-prejudice.txt')),
  models: createModelLoader(() => fromRoot('models/index.json'), createTrainer),
  openLanguageModel: createSiteModelOpener(() => fromRoot('models/')),
  vocabulary: new WordVectors({ index: getDataUrl('word-vectors.json'), rows: getDataUrl('word-vectors-64.i8') }),
  photographs: new PhotographFile(getDataUrl('photographs.json')),
  kinds: onDemandKindSource,
  script: getSiteScriptUrl(fromRoot('')),
});

applyReaderSentence();
// Runs in a separate task, because evaluating the imported modules already makes the current task long.
setTimeout(() => {
  defineFigure(services, import.meta.url);
  updateLabLinks();
});
