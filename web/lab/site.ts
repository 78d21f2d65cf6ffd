// Starts the Lab on the website, and loads its engine and data from files of the site.

import { onDemandKindSource } from '../figure/contract/kinds-on-demand.ts';
import { getSiteScriptUrl } from '../figure/element/site-script.ts';
import { createCorpusLoader, createModelLoader } from '../figure/runtime/data-files.ts';
import { createSiteModelOpener, createTrainer, diagnose, startEngine } from '../figure/runtime/engine.ts';
import { PhotographFile } from '../figure/runtime/photographs.ts';
import { WordVectors } from '../sentence/word-vectors.ts';
import { openKind } from './page/open-kind.ts';
import { startLab } from './start.ts';

const getDataUrl = (name: string): URL => new URL(`../data/${name}`, document.baseURI);

void startLab({
  startEngine,
  createTrainer,
  diagnose,
  corpus: createCorpusLoader(getDataUrl('pride-and-prejudice.txt')),
  models: createModelLoader(() => new URL('../models/index.json', document.baseURI), createTrainer),
  openLanguageModel: createSiteModelOpener(() => new URL('../models/', document.baseURI)),
  vocabulary: new WordVectors({ index: getDataUrl('word-vectors.json'), rows: getDataUrl('word-vectors-64.i8') }),
  photographs: new PhotographFile(getDataUrl('photographs.json')),
  kinds: onDemandKindSource,
  openKind,
  script: getSiteScriptUrl(new URL('../', document.baseURI)),
});
