// One small file for each demo: web/standalone/demos/NAME.md becomes dist/offline/NAME.html. A demo is written like a chapter of the book, so its
// figures stand in the page as pictures before its program runs.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readChapter } from '../book/chapter.mjs';
import { readFrontMatter } from '../book/front-matter.mjs';
import { readHtml } from '../book/html.mjs';
import { BookProblem } from '../book/problem.mjs';
import { loadMeans } from '../book/web-modules.mjs';
import { root } from '../root.mjs';
import { demoNames, FOLDER } from './demo-names.mjs';
import { packed } from './pack.mjs';
import { engineOf, programOf, trainsAny } from './program.mjs';
import { referencesFor } from './references.mjs';
import { loadShell } from './shell.mjs';

/** Words of sentences that readers type: as many as leave every file below its limit. */
const FREQUENT = 300;

/** @import { Reference } from '../book/chapter-parts.mjs' */
/** @import { ReadPage } from '../book/chapter.mjs' */
/** @import { BookMeans } from '../book/web-modules.mjs' */

/** A file that stands alone has nothing to refer to. @param {Reference} reference @returns {never} */
const reference = ({ target, place }) => {
  throw new BookProblem(`[[${target}]]: a demo refers to nothing outside its file`, place);
};

/** @param {string} name @param {BookMeans} means */
async function readDemo(name, means) {
  const file = `${FOLDER}/${name}.md`;
  return readChapter({ file, number: '', ...readFrontMatter(readFileSync(join(root, file), 'utf8'), file) }, means);
}

/** Sentences of its figures, given or their kind's own. @param {Pick<ReadPage, 'figures'>} demo @param {BookMeans} means */
const textsOf = ({ figures }, { modules }) =>
  figures.flatMap(({ kind: id, fields }) => {
    const kind = modules.kinds[id];
    return kind && 'text' in kind.fields ? [String(modules.readSpec(kind, fields).text)] : [];
  });

/** Without the pictures for pages that are less wide, which the live figures are about to replace: until then the wide ones are shown smaller. @param {string} html */
function onlyWide(html) {
  const page = readHtml(html);
  for (const element of page.elements) {
    const { classes } = element;
    // A picture for wide pages may be that for medium ones too.
    const isNarrower = !classes.includes('wide') && (classes.includes('narrow') || classes.includes('medium'));
    if (element.name === 'svg' && classes.includes('still') && isNarrower) element.replace('');
  }
  return page.written();
}

/** @param {string} out the folder */
export async function buildDemos(out) {
  const means = await loadMeans();
  const fill = await loadShell('demo');
  for (const name of demoNames()) {
    const demo = await readDemo(name, means);
    const texts = textsOf(demo, means);
    const kinds = [...new Set(demo.figures.map(({ kind }) => kind))];
    const trains = trainsAny(kinds, means.modules.kinds);
    const references = referencesFor(demo.figures, means);
    const program = await programOf({ kinds, trains, texts, frequent: texts.length > 0 ? FREQUENT : 0, references });
    const { title, description } = demo;
    const body = onlyWide(demo.write({ reference }));
    const blocks = [packed('program', program), packed('engine', engineOf(trains))];
    writeFileSync(join(out, `${name}.html`), fill({ title, description, body, blocks }));
  }
}
