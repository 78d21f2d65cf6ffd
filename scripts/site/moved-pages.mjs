// Redirects from the addresses of chapters that have become part of another chapter.
import { posix } from 'node:path';
import { escaped } from '../book/plain-text.mjs';

/** Old and new folders, from the root of the site. @type {Readonly<Record<string, string>>} */
const MOVED = {
  'book/what-a-good-encoding-needs/': 'book/counting-fails/',
};

/** A redirect page for each old address. @param {readonly { path: string, title: string }[]} pages of the site, with their folders */
export const movedPages = (pages) =>
  Object.entries(MOVED).map(([from, to]) => {
    const page = pages.find(({ path }) => path === to);
    if (!page) throw new Error(`${from} leads to ${to}, which is not a page`);
    const link = `${posix.relative(from, to)}/`;
    const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>${escaped(page.title)}</title>
    <meta name="robots" content="noindex">
    <meta http-equiv="refresh" content="0; url=${link}">
  </head>
  <body>
    <p>This page has moved: <a href="${link}">${escaped(page.title)}</a></p>
  </body>
</html>
`;
    return { file: `${from}index.html`, html };
  });
