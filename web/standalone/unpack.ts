// Reads compressed data that is embedded in a page. Each block is a base64-encoded gzip file.

/** Returns the decompressed content of the block with this id. Requires DecompressionStream. */
export function unpack(id: string): Response {
  const text = document.getElementById(id)?.textContent ?? '';
  const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')));
}
