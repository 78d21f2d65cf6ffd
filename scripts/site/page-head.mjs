// What stands at the beginning of every page, in one place: a page says `<!-- head -->` there.

const PLACE = '<!-- head -->';
const LINES = [
  '<meta charset="utf-8">',
  '<meta name="viewport" content="width=device-width, initial-scale=1">',
  '<meta name="color-scheme" content="light dark">',
];

/** @returns {import('vite').Plugin} */
export const pageHead = () => ({
  name: 'phasor-page-head',
  transformIndexHtml: { order: 'pre', handler: (html) => html.replace(PLACE, LINES.join('\n    ')) },
});
