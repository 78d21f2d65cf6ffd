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
 * Pictures in separate files, by their paths: posters of the front page, kinds of the gallery, chapters in the contents. @param {BookMeans} means
 * @param {Book} book @returns {Promise<Record<string, string>>}
 */
export async function pictureFiles(means, book) {
  const { modules, phasor, context } = means;
  const tiles = await tilesOf(means);
  const pictures = await picturesOf(book, means);
  const posters = await Promise.all(
    modules.WALL.map(async (poster) => ({ poster, svgs: await modules.posterSvgs(poster, phasor, context) })),
  );
  const files = THEMES.flatMap((theme) => [
    ...posters.map(({ poster, svgs }) => [posterFile(poster, theme), svgs[theme]]),
    ...tiles.map((tile) => [tileFile(tile, theme), tile[theme]]),
    ...pictures.map((picture) => [`book/${pictureFile(picture, theme)}`, picture[theme]]),
  ]);
  return Object.fromEntries(files);
}

/** A poster in light colours, for the card of the site. @param {BookMeans} means @param {string} id */
export async function posterOf({ modules, phasor, context }, id) {
  const poster = modules.WALL.find((one) => one.id === id);
  if (!poster) throw new Error(`there is no poster ${id}`);
  return (await modules.posterSvgs(poster, phasor, context)).light;
}
