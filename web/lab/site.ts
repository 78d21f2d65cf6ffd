// The page of the website, with the sources of its engine and data.
import { startEngine } from '../figure/engine.ts';
import { kindsOnDemand } from '../figure/kinds-on-demand.ts';
import { PhotographFile } from '../figure/photographs.ts';
import { WordVectors } from '../sentence/word-vectors.ts';
import { startLab } from './start.ts';

const file = (name: string): URL => new URL(`../data/${name}`, document.baseURI);

void startLab({
  startEngine,
  vocabulary: new WordVectors({ index: file('word-vectors.json'), rows: file('word-vectors-64.i8') }),
  photographs: new PhotographFile(file('photographs.json')),
  kinds: kindsOnDemand,
});
