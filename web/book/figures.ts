// Makes the figures of a page live.

import { kindsOnDemand } from '../figure/contract/kinds-on-demand.ts';
import { defineFigure } from '../figure/element/define-figure.ts';
import { siteScript } from '../figure/element/site-script.ts';
import { corpusFrom, modelsIn } from '../figure/runtime/data-files.ts';
import { createTrainer, diagnose, languageModelsIn, startEngine } from '../figure/runtime/engine.ts';
import { PhotographFile } from '../figure/runtime/photographs.ts';
import { PageServices } from '../figure/runtime/services.ts';
import { WordVectors } from '../sentence/word-vectors.ts';
import { followFigures } from './lab-links.ts';
import { ownSentence } from './own-sentence.ts';
import { fromRoot } from './site.ts';

const file = (name: string): URL => fromRoot(`data/${name}`);

const services = new PageServices({
  startEngine,
  createTrainer,
  diagnose,
  corpus: corpusFrom(file('pride-and-prejudice.txt')),
  models: modelsIn(() => fromRoot('models/index.json'), createTrainer),
  openLanguageModel: languageModelsIn(() => fromRoot('models/')),
  vocabulary: new WordVectors({ index: file('word-vectors.json'), rows: file('word-vectors-64.i8') }),
  photographs: new PhotographFile(file('photographs.json')),
  kinds: kindsOnDemand,
  script: siteScript(fromRoot('')),
});

ownSentence();
// Runs in a separate task, because the task of this module also runs all imported modules.
setTimeout(() => {
  defineFigure(services, import.meta.url);
  followFigures();
});
