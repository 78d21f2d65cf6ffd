// Every kind of figure at two sizes. ?kind=similarity&length=8 shows one, with these fields.
import '../views/views.css';
import './gallery.css';
import { kinds } from '../figure/contract/registry.ts';
import { defineSiteFigure } from '../figure/element/define.ts';
import { siteScript } from '../figure/element/site-script.ts';
import { PhotographFile } from '../figure/runtime/photographs.ts';
import { WordVectors } from '../sentence/word-vectors.ts';
import { visitSoon } from '../visit/soon.ts';
import { shownIn } from './shown.ts';

const file = (name: string): URL => new URL(`../data/${name}`, document.baseURI);
defineSiteFigure(
  new WordVectors({ index: file('word-vectors.json'), rows: file('word-vectors-64.i8') }),
  new PhotographFile(file('photographs.json')),
  siteScript(new URL('../', document.baseURI)),
);

const main = document.querySelector('main') as HTMLElement;
for (const spec of shownIn(location.search, kinds)) {
  for (const size of ['wide', 'narrow']) {
    const figure = document.createElement('phasor-figure');
    figure.className = size;
    // Not as attributes: an address may hold any names. What is no field is said by the figure.
    figure.spec = spec;
    main.append(figure);
  }
}
visitSoon();
