// The pages of figures, generated from the kinds and from the posters of the front page: one live figure, large, and the way to where it is explained.
import { readPage } from './chapter.mjs';
import { chapterName } from './chapter-name.mjs';
import { placeOf } from './places.mjs';
import { escaped } from './plain-text.mjs';

/** @import { Page, PageSource } from './book.mjs' */
/** @import { BookMeans } from './web-modules.mjs' */

/**
 * A page of the gallery. `group`: where it is listed. `explained`: sections of the book, from the root of the site.
 * @typedef {Page & { figurePage: { kind: string, group: string, explained: { to: string, name: string }[] } }} FigurePage
 */

/** The folder of a kind's page, from the root of the site. @param {string} kind */
export const figurePlace = (kind) => `gallery/${kind}/`;
/** The folder of a poster's page. @param {{ id: string, figure: { kind: string } }} poster */
export const posterPlace = ({ id, figure }) => `${figurePlace(figure.kind)}${id}/`;

/** The largest height of the picture, which with its title is on one screen, px. */
const HIGHEST = '560';
/** Sections of the book that are named below a figure. */
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
 * The page of each kind, by groups, and of each poster.
 * @param {BookMeans} means
 * @param {Page[]} chapters whose text is read, and pages that explain figures
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

/** Where a figure is explained, and a button for its address. @param {FigurePage} page @param {string} home */
export function aboutFigure({ figurePage: { explained } }, home) {
  const links = explained.map(({ to, name }) => `<a href="${home}${to}">${escaped(name)}</a>`);
  const book = links.length === 0 ? '' : `<span>Explained in ${links.join(', ')}</span>`;
  return `<p class="about-figure"><button type="button" class="copy-link" hidden>Copy link</button>${book}</p>`;
}
