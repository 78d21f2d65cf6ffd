// Every kind of figure at two sizes. ?kind=similarity shows one.
import '../views/views.css';
import './gallery.css';
import { defineSiteFigure } from '../figure/define.ts';
import { PhotographFile } from '../figure/photographs.ts';
import { kinds } from '../figure/registry.ts';
import { WordVectors } from '../sentence/word-vectors.ts';
import { visitSoon } from '../visit/soon.ts';

const file = (name: string): URL => new URL(`../data/${name}`, document.baseURI);
defineSiteFigure(
  new WordVectors({ index: file('word-vectors.json'), rows: file('word-vectors-64.i8') }),
  new PhotographFile(file('photographs.json')),
);

const { kind, ...fields } = Object.fromEntries(new URLSearchParams(location.search));
const main = document.querySelector('main') as HTMLElement;
for (const id of Object.keys(kinds).filter((one) => kind === undefined || one === kind)) {
  for (const size of ['wide', 'narrow']) {
    const figure = document.createElement('phasor-figure');
    figure.className = size;
    figure.setAttribute('kind', id);
    if (kind !== undefined) for (const [name, value] of Object.entries(fields)) figure.setAttribute(name, value);
    main.append(figure);
  }
}
visitSoon();
