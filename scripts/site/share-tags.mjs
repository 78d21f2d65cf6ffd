// Open Graph tags of a page. Tags with absolute addresses are omitted if the address of the site is unknown.
import { escaped } from '../book/plain-text.mjs';
import { siteAddress } from './site-address.mjs';

/** The default image, relative to the folder of the book. */
export const SITE_CARD = 'cards/phasor.png';

/** @param {{ place: string, title: string, description: string, card?: string | undefined }} page `place`: from the root of the site */
export function shareTags({ place, title, description, card = SITE_CARD }) {
  const site = siteAddress();
  const meta = {
    'og:type': place === '' ? 'website' : 'article',
    'og:site_name': 'Phasor',
    'og:title': title,
    'og:description': description,
  };
  if (site) Object.assign(meta, { 'og:url': `${site}${place}`, 'og:image': `${site}book/${card}` });
  const tags = Object.entries(meta).map(([name, value]) => `<meta property="${name}" content="${escaped(value)}">`);
  if (site) tags.push('<meta name="twitter:card" content="summary_large_image">', `<link rel="canonical" href="${site}${place}">`);
  return tags.join('\n    ');
}
