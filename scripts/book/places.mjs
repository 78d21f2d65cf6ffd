// Paths of pages, relative to the folder of the book: 'rotation/', '' (its contents), '../' (the front page of the site).
import { posix } from 'node:path';

const BOOK = 'book';
/** @param {string} path */
const folder = (path) => (path === '' ? '' : `${path}/`);

/** The folder of a page from the root of the site: 'book/rotation/'. @param {string} path */
export const placeOf = (path) => {
  const location = posix.join(BOOK, path).replace(/^\.\/?$|\/$/g, '');
  return folder(location);
};

/** From a page to the folder of the book: '../'. @param {string} path */
export const toBook = (path) => folder(posix.relative(placeOf(path), BOOK));

/** From a page to the root of the site: '../../'; './' for the root itself. @param {string} path */
export const toRoot = (path) => folder(posix.relative(placeOf(path), '')) || './';
