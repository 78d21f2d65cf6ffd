// A static file server for folders of dist/.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.xml': 'application/xml',
};

/**
 * Serves `folders` ({ '/path/': folder }) on `port` (default: a free one) until `close` is called. `isPublic` allows requests from other origins,
 * `notFound` is the file of the 404 page, `headers` are added to every response, and `media` overrides the media types of file extensions.
 */
export async function serve(
  folders: Record<string, string>,
  {
    isPublic = false,
    port: requestedPort = 0,
    notFound = '',
    headers = {} as Record<string, string>,
    media = {} as Record<string, string>,
  } = {},
): Promise<{ origin: string; port: number; close: () => void }> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
    const prefix = Object.keys(folders).find((candidate) => path.startsWith(candidate));
    const name = normalize(path.slice(prefix?.length ?? 0).replace(/(^|\/)$/, '$1index.html'));
    const file = prefix === undefined || name.startsWith('..') ? '' : join(folders[prefix] ?? '', name);
    if (!existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404, { 'content-type': types['.html'] });
      if (notFound) createReadStream(notFound).pipe(response);
      else response.end();
      return;
    }
    response.writeHead(200, {
      ...headers,
      'content-type': media[extname(file)] ?? types[extname(file)] ?? 'application/octet-stream',
      ...(isPublic ? { 'access-control-allow-origin': '*' } : {}),
    });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(requestedPort, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { origin: `http://127.0.0.1:${port}`, port, close };
}
