// Pictures of the site in files of their own: posters of the front page, kinds of the gallery, chapters in the contents.
import { pictureFile, posterFile, tileFile } from '../book/site-pieces.mjs';

/** @import { Book } from '../book/book.mjs' */
/** @import { Tile } from '../book/figures.mjs' */
/** @import { Theme } from '../book/site-pieces.mjs' */
/** @import { BookMeans } from '../book/web-modules.mjs' */

/** @type {Theme[]} */
const THEMES = ['light', 'dark'];
/** Every kind of figure. @param {BookMeans} means */
export const tilesOf = ({ modules, tile }) => Promise.all(Object.keys(modules.kinds).map((id) => tile(id)));
/** The first figure of each chapter, whose slug is its name. @param {Book} book @param {BookMeans} means @returns {Promise<Tile[]>} */
export const picturesOf = ({ chapters }, { tile }) =>
  Promise.all(
    chapters.flatMap(({ slug, figures: [first] }) =>
      first ? [tile(first.kind, first.fields).then((made) => ({ ...made, id: slug }))] : [],
    ),
  );

/**
 * Pictures in separate files, by their paths, each drawn when it is called: posters of the front page, kinds of the gallery, chapters in the contents.
 * @param {BookMeans} means @param {Book} book @returns {Record<string, () => Promise<string>>}
 */
function drawers({ modules, phasor, context, tile }, { chapters }) {
  const files = THEMES.flatMap((theme) => [
    ...modules.WALL.map((poster) => [posterFile(poster, theme), async () => (await modules.posterSvgs(poster, phasor, context))[theme]]),
    ...Object.keys(modules.kinds).map((id) => [tileFile({ id }, theme), async () => (await tile(id))[theme]]),
    ...chapters.flatMap(({ slug, figures: [first] }) =>
      first ? [[`book/${pictureFile({ id: slug }, theme)}`, async () => (await tile(first.kind, first.fields))[theme]]] : [],
    ),
  ]);
  return Object.fromEntries(files);
}

/**
 * All of them, by their paths, one after the other: the second theme of a picture finds the numbers of the first.
 * @param {BookMeans} means @param {Book} book
 */
export async function pictureFiles(means, book) {
  /** @type {Record<string, string>} */
  const files = {};
  for (const [path, draw] of Object.entries(drawers(means, book))) files[path] = await draw();
  return files;
}

/** One of them; undefined if there is none at the path. @param {BookMeans} means @param {Book} book @param {string} path */
export const pictureAt = async (means, book, path) => drawers(means, book)[path]?.();

/** A poster in light colours, for the card of the site. @param {BookMeans} means @param {string} id */
export async function posterOf({ modules, phasor, context }, id) {
  const poster = modules.WALL.find((one) => one.id === id);
  if (!poster) throw new Error(`there is no poster ${id}`);
  return (await modules.posterSvgs(poster, phasor, context)).light;
}
