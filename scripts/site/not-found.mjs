// The 404 page of static hosts. It appears at any address, so its links start at the root of the host, or at PHASOR_SITE. If neither is right,
// its script searches for the root among the parent folders of the address.
import { readHtml } from '../book/html.mjs';
import { siteAddress } from './site-address.mjs';

/** Attributes that contain addresses. */
const ADDRESSES = ['href', 'src', 'data-search'];
const MARK = 'manifest.webmanifest';

const FINDS_ROOT = `
      const page = document.documentElement;
      const isRoot = (folder) => fetch(folder + '${MARK}', { method: 'HEAD' }).then(({ ok }) => ok, () => false);
      const assumed = page.dataset.root;
      if (!(await isRoot(assumed))) {
        for (let path = location.pathname; path.includes('/'); path = path.slice(0, -1)) {
          path = path.slice(0, path.lastIndexOf('/') + 1);
          if (path === assumed || !(await isRoot(path))) continue;
          page.dataset.root = path;
          for (const name of ${JSON.stringify(ADDRESSES)})
            for (const element of document.querySelectorAll('[' + name + '^="' + assumed + '"]'))
              element.setAttribute(name, path + element.getAttribute(name).slice(assumed.length));
          const program = document.querySelector('script[src]');
          if (program) await import(program.src);
          break;
        }
      }
    `;

/** @param {string} html the page as it would be at the root of the site */
export function notFoundPage(html) {
  const site = siteAddress();
  const root = site ? new URL(site).pathname : '/';
  const page = readHtml(html.replaceAll('url(./', `url(${root}`));
  for (const element of page.elements) {
    for (const name of ADDRESSES) {
      const value = element.attributes[name];
      if (value !== undefined && !/^(#|\w+:|\/)/.test(value)) element.set(name, `${root}${value.replace(/^\.\//, '')}`);
    }
    if (element.name === 'html') element.set('data-root', root);
    if (element.name === 'head') element.append('<meta name="robots" content="noindex">\n  ');
    if (element.name === 'body') element.append(`<script type="module">${FINDS_ROOT}</script>\n  `);
  }
  return page.written();
}
