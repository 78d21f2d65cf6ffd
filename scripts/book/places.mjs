// Paths of pages relative to the folder of the book: 'rotation/', '' (the contents), '../' (the front page of the site).
import { posix } from 'node:path';

const BOOK = 'book';
/** @param {string} path */
const folder = (path) => (path === '' ? '' : `${path}/`);

/** The folder of a page relative to the root of the site: 'book/rotation/'. @param {string} path */
export const placeOf = (path) => {
  const location = posix.join(BOOK, path).replace(/^\.\/?$|\/$/g, '');
  return folder(location);
};

/** The folder of the book relative to a page: '../'. @param {string} path */
export const toBook = (path) => folder(posix.relative(placeOf(path), BOOK));

/** The root of the site relative to a page: '../../', or './' at the root. @param {string} path */
export const toRoot = (path) => folder(posix.relative(placeOf(path), '')) || './';
