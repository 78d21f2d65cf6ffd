// Compressed blocks of a page, which it unpacks itself (web/standalone/unpack.ts).
import { gzipSync } from 'node:zlib';

/** A block of the page with this content: base64 of a gzip file. @param {string} id @param {string | Uint8Array} content */
export const packed = (id, content) =>
  `<script type="application/gzip" id="${id}">${gzipSync(content, { level: 9 }).toString('base64')}</script>`;
