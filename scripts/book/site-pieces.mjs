// Generated parts of pages outside the book. A page marks their positions by comments such as <!-- the wall -->.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { figurePlace, posterPlace } from './figure-pages.mjs';
import { escaped } from './plain-text.mjs';

/** @import { Poster } from '../../web/book/wall/poster.ts' */
/** @import { Tile } from './figures.mjs' */
/** @import { Modules } from './web-modules.mjs' */

/** @typedef {'light' | 'dark'} Theme */
/** @typedef {'author' | 'authorAddress' | 'license' | 'licenseAddress' | 'cite' | 'feedbackAddress'} Setting */
/** @typedef {{ name: string, bytes: Uint8Array }} PackageFile */

/** Settings of the owner of the site. Empty ones are not shown. @returns {Record<Setting, string>} */
export const readSettings = () => JSON.parse(readFileSync(join(root, 'web/book/site/settings.json'), 'utf8'));

/** Resolves an address of the settings: a URL, or a path of the site. @param {string} to @param {string} home */
const address = (to, home) => (/^[a-z]+:/.test(to) ? to : `${home}${to}`);
/** @param {string} words @param {string} to @param {string} home */
const linked = (words, to, home) => (to ? `<a href="${escaped(address(to, home))}">${escaped(words)}</a>` : escaped(words));

/** The footer of a page. @param {string} home the root of the site, relative to the page */
export function footer(home, settings = readSettings()) {
  const { author, authorAddress, license, licenseAddress, cite, feedbackAddress } = settings;
  const parts = [
    author && `<span>${linked(author, authorAddress, home)}</span>`,
    license && `<span>${linked(license, licenseAddress, home)}</span>`,
    feedbackAddress && `<span>${linked('Feedback', feedbackAddress, home)}</span>`,
    cite && `<details><summary>How to cite</summary><pre tabindex="0">${escaped(cite)}</pre></details>`,
  ].filter(Boolean);
  return `<footer class="site-foot"><p>Every picture is computed on your device by one tested C++ core. After one visit the site works without a network, and <a href="${home}offline/">parts of it are single files</a> to take along.</p>${parts.length > 0 ? `<div class="site-facts">${parts.join('')}</div>` : ''}</footer>`;
}

/** The file of a poster, relative to the root of the site. @param {{ id: string }} poster @param {Theme} theme */
export const posterFile = ({ id }, theme) => `wall/${id}-${theme}.svg`;

/** The posters of the front page, each a link to its live figure. @param {readonly Poster[]} posters @param {string} home */
export function wall(posters, home) {
  /** @param {Poster} poster @param {Theme} theme */
  const image = (poster, theme) =>
    `<img class="for-${theme}" src="${home}${posterFile(poster, theme)}" width="400" height="400" alt="" loading="lazy">`;
  /** @param {Poster} poster */
  const item = (poster) =>
    `<li><a href="${home}${posterPlace(poster)}"><span class="poster">${image(poster, 'light')}${image(poster, 'dark')}</span><b>${escaped(poster.title)}</b><span class="poster-caption">${escaped(poster.caption)}</span></a></li>`;
  return `<ul class="wall">${posters.map(item).join('')}</ul>`;
}

/** The file of a chapter's picture, relative to the folder of the book. @param {{ id: string }} picture @param {Theme} theme */
export const pictureFile = ({ id }, theme) => `pictures/${id}-${theme}.svg`;

/** The width of a column of the gallery in px. */
const COLUMN = 384;

/** The file of a kind's picture, relative to the root of the site. @param {{ id: string }} tile @param {Theme} theme */
export const tileFile = ({ id }, theme) => `gallery/${id}-${theme}.svg`;

/** A picture in both themes. @param {Tile} tile @param {(theme: Theme) => string} to returns the file for a theme */
export const pictureOf = ({ width, height }, to) =>
  /** @type {Theme[]} */ (['light', 'dark'])
    .map((theme) => `<img class="for-${theme}" src="${to(theme)}" width="${width}" height="${Math.ceil(height)}" alt="" loading="lazy">`)
    .join('');

/**
 * The gallery: pictures of the kinds in groups, each a link to the page of the kind.
 * @param {Tile[]} tiles
 * @param {string} home
 * @param {Pick<Modules, 'kinds' | 'kindGroups' | 'QUESTIONS'>} modules
 */
export function gallery(tiles, home, { kinds, kindGroups, QUESTIONS }) {
  /** @param {Tile} tile */
  const images = (tile) => pictureOf(tile, (theme) => `${home}${tileFile(tile, theme)}`);
  /** @param {Tile} tile */
  const item = (tile) =>
    `<li${tile.width > COLUMN ? ' class="wide"' : ''}><a href="${home}${figurePlace(tile.id)}"><b>${escaped(tile.question)}</b>${images(tile)}</a></li>`;
  return kindGroups(kinds, QUESTIONS)
    .map(({ title, ids }) => ({ title, list: ids.flatMap((id) => tiles.filter((tile) => tile.id === id)) }))
    .filter(({ list }) => list.length > 0)
    .map(({ title, list }) => `<h2>${escaped(title)}</h2><ul class="all-figures">${list.map(item).join('')}</ul>`)
    .join('');
}

/** @param {Uint8Array} bytes */
const megabytes = (bytes) => `${(bytes.length / 1e6).toFixed(1)} MB`;

/**
 * A link to download the package.
 * @param {PackageFile | undefined} file undefined if it was not built
 * @param {string} home
 */
export const download = (file, home) =>
  file
    ? `<p class="download"><a href="${home}${file.name}" download>${file.name}</a> <span>${megabytes(file.bytes)}, every entry with its types, no dependencies</span></p>`
    : '<p class="download"><code>npm run build</code> makes the package, and the file to download.</p>';

/**
 * Replaces names such as phasor:embed/figure.js by absolute addresses for use in other pages. If the address of the site is not known when it is
 * built, a script inserts it.
 * @param {string} html
 * @param {string} home
 * @param {{ site: string | undefined, files: Record<string, string> }} addresses
 */
export const withAddresses = (html, home, { site, files }) =>
  Object.entries(files).reduce(
    (text, [name, path]) => text.replaceAll(`phasor:${name}`, `<span data-here="${path}">${escaped(`${site ?? home}${path}`)}</span>`),
    html,
  );

/** @param {string} html @param {Record<string, string>} pieces HTML by the text of the comment */
export const withPieces = (html, pieces) =>
  Object.entries(pieces).reduce((text, [name, piece]) => text.replace(`<!-- ${name} -->`, () => piece), html);
