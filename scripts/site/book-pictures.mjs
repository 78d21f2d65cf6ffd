// Pictures of the site in separate files: posters of the front page, tiles of the gallery, and a figure of each chapter for the contents.
import { pictureFile, posterFile, tileFile } from '../book/site-pieces.mjs';

/** @import { Book } from '../book/book.mjs' */
/** @import { Tile } from '../book/figures.mjs' */
/** @import { Theme } from '../book/site-pieces.mjs' */
/** @import { BookMeans } from '../book/web-modules.mjs' */

/** @type {Theme[]} */
const THEMES = ['light', 'dark'];
/** A tile of every kind of figure. @param {BookMeans} means */
export const tilesOf = ({ modules, tile }) => Promise.all(Object.keys(modules.kinds).map((id) => tile(id)));
/**
 * A tile of the first figure of each chapter, with the chapter's slug as its id.
 * @param {Book} book
 * @param {BookMeans} means
 * @returns {Promise<Tile[]>}
 */
export const picturesOf = ({ chapters }, { tile }) =>
  Promise.all(
    chapters.flatMap(({ slug, figures: [first] }) =>
      first ? [tile(first.kind, first.fields).then((made) => ({ ...made, id: slug }))] : [],
    ),
  );

/**
 * Functions that draw the pictures, by file path.
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
 * All pictures, by file path. They are drawn one after the other, so that the second theme of a picture reuses the results of the first.
 * @param {BookMeans} means @param {Book} book
 */
export async function pictureFiles(means, book) {
  /** @type {Record<string, string>} */
  const files = {};
  for (const [path, draw] of Object.entries(drawers(means, book))) files[path] = await draw();
  return files;
}

/** The picture at a path, or undefined if there is none. @param {BookMeans} means @param {Book} book @param {string} path */
export const pictureAt = async (means, book, path) => drawers(means, book)[path]?.();

/** A poster in light colours, for the social card of the site. @param {BookMeans} means @param {string} id */
export async function posterOf({ modules, phasor, context }, id) {
  const poster = modules.WALL.find((one) => one.id === id);
  if (!poster) throw new Error(`there is no poster ${id}`);
  return (await modules.posterSvgs(poster, phasor, context)).light;
}
