// Emits the API reference as developers/api/ of the site.
import { apiReference } from '../docs/api-reference.mjs';

/** @type {Record<string, string>} */
const TYPES = { html: 'text/html', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };
const PLACE = 'developers/api/';

/** @returns {import('vite').Plugin} */
export function api() {
  return {
    name: 'phasor-api',
    enforce: 'post',
    async generateBundle(_, bundle) {
      // Offline pages are built with the same plugins, but have no API reference.
      if (!bundle['book/index.html']) return;
      for (const [name, source] of Object.entries(await apiReference()))
        this.emitFile({ type: 'asset', fileName: `${PLACE}${name}`, source });
    },
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        const path = new URL(request.url ?? '/', 'http://localhost').pathname;
        if (!path.startsWith(`/${PLACE}`)) return next();
        const name = path.slice(PLACE.length + 1) || 'index.html';
        const text = (await apiReference())[name];
        if (text === undefined) return next();
        response.setHeader('content-type', `${TYPES[name.split('.').at(-1) ?? '']}; charset=utf-8`);
        return response.end(text);
      });
    },
  };
}
