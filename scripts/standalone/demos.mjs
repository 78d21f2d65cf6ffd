// Builds one small file for each demo: web/standalone/demos/NAME.md becomes dist/offline/NAME.html. A demo is written like a chapter of the book,
// with stills of its figures until its script runs.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readChapter } from '../book/chapter.mjs';
import { readFrontMatter } from '../book/front-matter.mjs';
import { readHtml } from '../book/html.mjs';
import { BookProblem } from '../book/problem.mjs';
import { loadMeans } from '../book/web-modules.mjs';
import { root } from '../root.mjs';
import { demoNames, FOLDER } from './demo-names.mjs';
import { languageModelBlocks } from './models.mjs';
import { packed } from './pack.mjs';
import { engineOf, programOf, trainsAny } from './program.mjs';
import { referencesFor } from './references.mjs';
import { loadShell } from './shell.mjs';

/** The number of frequent words with vectors, for sentences that users type; limited by the size of the files. */
const FREQUENT = 300;

/** The kind whose picture is part of the report on a language model (web/figure/export/model-report.ts). */
const OF_REPORT = 'layers';

/** @import { Reference } from '../book/chapter-parts.mjs' */
/** @import { ReadPage } from '../book/chapter.mjs' */
/** @import { BookMeans } from '../book/web-modules.mjs' */

/** A demo cannot have references. @param {Reference} reference @returns {never} */
const reference = ({ target, place }) => {
  throw new BookProblem(`[[${target}]]: a demo cannot refer to pages outside its file`, place);
};

/** @param {string} name @param {BookMeans} means */
async function readDemo(name, means) {
  const file = `${FOLDER}/${name}.md`;
  return readChapter({ file, number: '', ...readFrontMatter(readFileSync(join(root, file), 'utf8'), file) }, means);
}

/** The sentences of the figures of a demo, explicit or by default. @param {Pick<ReadPage, 'figures'>} demo @param {BookMeans} means */
const textsOf = ({ figures }, { modules }) =>
  figures.flatMap(({ kind: id, fields }) => {
    const kind = modules.kinds[id];
    // Language models have their own tokens.
    return kind && 'text' in kind.fields && !kind.showsLanguageModel ? [String(modules.readSpec(kind, fields).text)] : [];
  });

/** Removes the stills for narrow pages: until the live figures replace them, the wide ones are shown scaled down. @param {string} html */
function onlyWide(html) {
  const page = readHtml(html);
  for (const element of page.elements) {
    const { classes } = element;
    // A still may serve wide and medium pages.
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
    const shown = [...new Set(demo.figures.map(({ kind }) => kind))];
    const hasLanguageModel = shown.some((kind) => means.modules.kinds[kind]?.showsLanguageModel);
    const kinds = hasLanguageModel ? [...shown, OF_REPORT] : shown;
    const trains = trainsAny(kinds, means.modules.kinds);
    const references = referencesFor(demo.figures, means);
    const program = await programOf({ kinds, trains, hasLanguageModel, texts, frequent: texts.length > 0 ? FREQUENT : 0, references });
    const { title, description } = demo;
    const body = onlyWide(demo.write({ reference }));
    const blocks = [packed('program', program), packed('engine', engineOf(trains)), ...(hasLanguageModel ? languageModelBlocks() : [])];
    writeFileSync(join(out, `${name}.html`), fill({ title, description, body, blocks }));
  }
}
