// Makes the figures of a page live.
import { defineFigure } from '../figure/element.ts';
import { startEngine } from '../figure/engine.ts';
import { kindsOnDemand } from '../figure/kinds-on-demand.ts';
import { PhotographFile } from '../figure/photographs.ts';
import { PageServices } from '../figure/services.ts';
import { WordVectors } from '../sentence/word-vectors.ts';
import { followFigures } from './lab-links.ts';
import { fromRoot } from './site.ts';

const file = (name: string): URL => fromRoot(`data/${name}`);

const services = new PageServices({
  startEngine,
  vocabulary: new WordVectors({ index: file('word-vectors.json'), rows: file('word-vectors-64.i8') }),
  photographs: new PhotographFile(file('photographs.json')),
  kinds: kindsOnDemand,
});

// In a task of its own: this module's is that of all that it imports.
setTimeout(() => {
  defineFigure(services);
  followFigures();
});
