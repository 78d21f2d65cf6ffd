// The website's page, with the sources of its engine and data.

import { kindsOnDemand } from '../figure/contract/kinds-on-demand.ts';
import { siteScript } from '../figure/element/site-script.ts';
import { corpusFrom, modelsIn } from '../figure/runtime/data-files.ts';
import { createTrainer, diagnose, languageModelsIn, startEngine } from '../figure/runtime/engine.ts';
import { PhotographFile } from '../figure/runtime/photographs.ts';
import { WordVectors } from '../sentence/word-vectors.ts';
import { openKind } from './page/open-kind.ts';
import { startLab } from './start.ts';

const dataUrl = (name: string): URL => new URL(`../data/${name}`, document.baseURI);

void startLab({
  startEngine,
  createTrainer,
  diagnose,
  corpus: corpusFrom(dataUrl('pride-and-prejudice.txt')),
  models: modelsIn(() => new URL('../models/index.json', document.baseURI), createTrainer),
  openLanguageModel: languageModelsIn(() => new URL('../models/', document.baseURI)),
  vocabulary: new WordVectors({ index: dataUrl('word-vectors.json'), rows: dataUrl('word-vectors-64.i8') }),
  photographs: new PhotographFile(dataUrl('photographs.json')),
  kinds: kindsOnDemand,
  openKind,
  script: siteScript(new URL('../', document.baseURI)),
});
