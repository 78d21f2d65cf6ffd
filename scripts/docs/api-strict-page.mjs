// Adapts a page of TypeDoc to the site: no inline scripts, so that a strict Content-Security-Policy needs no hash, and relative addresses, so that
// the site works under any path.
const INLINE = /<script>document\.documentElement\.dataset\.theme.*?<\/script>/s;

/** @param {string} html @param {string} name of the page, relative to developers/api/ */
export function strictPage(html, name) {
  const up = '../'.repeat(name.split('/').length - 1);
  if (!INLINE.test(html)) throw new Error(`${name} no longer has the script that is replaced here`);
  const page = html
    .replace(INLINE, '')
    .replace(
      '<script defer',
      `<script src="${up}assets/theme.js"></script><link rel="icon" href="${up}../../favicon.svg" type="image/svg+xml"><script defer`,
    )
    .replaceAll('phasor:root/', `${up}../../`)
    .replace('<meta http-equiv="x-ua-compatible" content="IE=edge"/>', '')
    .replace('<meta charset="utf-8"/>', '<meta charset="utf-8">');
  const [inline] = /<script(?![^>]*\bsrc=)[^>]*>|\sstyle="|\son\w+="/.exec(page) ?? [];
  if (inline) throw new Error(`${name} has ${inline}, which a strict policy forbids`);
  return page;
}
