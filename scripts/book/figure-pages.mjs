// The pages of figures, generated from the kinds and the posters of the front page: a large live figure, and links to the chapters that explain it.
import { readPage } from './chapter.mjs';
import { chapterName } from './chapter-name.mjs';
import { placeOf } from './places.mjs';
import { escaped } from './plain-text.mjs';

/** @import { Page, PageSource } from './book.mjs' */
/** @import { BookMeans } from './web-modules.mjs' */

/**
 * A page of the gallery. `group`: the group in which it is listed. `explained`: links to the book, relative to the root of the site.
 * @typedef {Page & { figurePage: { kind: string, group: string, explained: { to: string, name: string }[] } }} FigurePage
 */

/** The folder of a kind's page, from the root of the site. @param {string} kind */
export const figurePlace = (kind) => `gallery/${kind}/`;
/** The folder of a poster's page. @param {{ id: string, figure: { kind: string } }} poster */
export const posterPlace = ({ id, figure }) => `${figurePlace(figure.kind)}${id}/`;

/** The maximal height of the picture in px, such that the picture and its title fit on one screen. */
const HIGHEST = '560';
/** The maximal number of links to the book below a figure. */
const MOST_NAMED = 3;

/** The first figure of this kind in each chapter. @param {Page[]} chapters @param {string} kind */
const explainedIn = (chapters, kind) =>
  chapters
    .flatMap((chapter) => {
      const figure = chapter.figures.find((one) => one.kind === kind);
      return figure ? [{ to: `${placeOf(chapter.path)}#${figure.id}`, name: chapter.number ? chapterName(chapter) : chapter.title }] : [];
    })
    .slice(0, MOST_NAMED);

/** @param {Record<string, string>} attributes */
const printed = (attributes) =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('');

/**
 * @param {BookMeans} means
 * @param {{ place: string, title: string, short: string, caption: string, kind: string, fields?: Record<string, string> }} page
 * @returns {PageSource}
 */
function sourceOf({ modules }, { place, title, short, caption, kind, fields = {} }) {
  const shown = modules.kinds[kind];
  if (!shown) throw new Error(`there is no kind ${kind}`);
  return {
    file: `web/figure/kinds/${kind}`,
    slug: 'figure',
    path: `../${place}`,
    number: '',
    title,
    short,
    description: caption,
    body: `::: figure kind=${kind}${printed({ ...fields, controls: modules.mainControls(shown), 'max-height': HIGHEST })} #picture\n${caption}\n:::\n`,
    line: 0,
  };
}

/**
 * The pages of all kinds, in the order of their groups, and of all posters.
 * @param {BookMeans} means
 * @param {Page[]} chapters and other pages that explain figures
 * @returns {{ kinds: FigurePage[], posters: FigurePage[] }}
 */
export function figurePages(means, chapters) {
  const { modules } = means;
  const groups = modules.kindGroups(modules.kinds, modules.QUESTIONS);
  const titles = new Map(modules.QUESTIONS.flatMap(({ views }) => views.map(({ kind, title }) => [kind, title])));
  const kinds = groups.flatMap(({ title: group, ids }) =>
    ids.map((kind) => {
      const { question, caption } = /** @type {NonNullable<typeof modules.kinds[string]>} */ (modules.kinds[kind]);
      const source = sourceOf(means, {
        place: figurePlace(kind),
        title: question,
        short: titles.get(kind) ?? question,
        caption,
        kind,
      });
      return Object.assign(readPage(source, means), { figurePage: { kind, group, explained: explainedIn(chapters, kind) } });
    }),
  );
  const posters = modules.WALL.map((poster) => {
    const { title, caption, to, figure } = poster;
    const source = sourceOf(means, { place: posterPlace(poster), title, short: title, caption: `${caption}.`, ...figure });
    const chapter = chapters.find(({ path }) => to.startsWith(`book/${path}`));
    const group = groups.find(({ ids }) => ids.includes(figure.kind))?.title ?? '';
    const explained = chapter ? [{ to, name: chapterName(chapter) }] : [];
    return Object.assign(readPage(source, means), { figurePage: { kind: figure.kind, group, explained } });
  });
  return { kinds, posters };
}

/** Links to where a figure is explained, and a button that copies its address. @param {FigurePage} page @param {string} home */
export function aboutFigure({ figurePage: { explained } }, home) {
  const links = explained.map(({ to, name }) => `<a href="${home}${to}">${escaped(name)}</a>`);
  const book = links.length === 0 ? '' : `<span>Explained in ${links.join(', ')}</span>`;
  return `<p class="about-figure"><button type="button" class="copy-link" hidden>Copy link</button>${book}</p>`;
}
