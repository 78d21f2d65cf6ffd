// Compressed blocks of a page, which its script unpacks (web/standalone/unpack.ts).
import { gzipSync } from 'node:zlib';

/** A script element with gzip-compressed content in base64. @param {string} id @param {string | Uint8Array} content */
export const packed = (id, content) =>
  `<script type="application/gzip" id="${id}">${gzipSync(content, { level: 9 }).toString('base64')}</script>`;
