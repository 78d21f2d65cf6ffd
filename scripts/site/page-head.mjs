// The common <head> of every page, inserted at `<!-- head -->`, and the links to the parts of the site, at `<!-- places -->`. Pages of the book have
// separate share tags.
import { readHtml } from '../book/html.mjs';
import { placeLinks } from '../book/layout.mjs';
import { shareTags } from './share-tags.mjs';
import { siteAddress } from './site-address.mjs';

const PLACE = '<!-- head -->';
const LINES = [
  '<meta charset="utf-8">',
  '<meta name="viewport" content="width=device-width, initial-scale=1">',
  '<meta name="color-scheme" content="light dark">',
];

/** @param {string} html */
function labTags(html) {
  const { elements } = readHtml(html);
  const title = elements.find(({ name }) => name === 'title')?.inner ?? '';
  const description = elements.find(({ attributes }) => attributes.name === 'description')?.attributes.content ?? '';
  return shareTags({ place: 'lab/', title, description });
}

/** @returns {import('vite').Plugin} */
export const pageHead = () => ({
  name: 'phasor-page-head',
  transformIndexHtml: {
    order: 'pre',
    handler(html, { path }) {
      const tags = siteAddress() && path === '/lab/index.html' ? [labTags(html)] : [];
      return html.replace(PLACE, [...LINES, ...tags].join('\n    ')).replace('<!-- places -->', () => placeLinks('../', 'lab/'));
    },
  },
});
