// Files in the folder of a page's script, loaded on demand.

/** A replacement for `fetch` on pages where that cannot read files. */
export type GetFile = (address: string | URL) => Promise<Response>;

// Fetches with a timeout of 15 seconds.
export const fetchFile: GetFile = (address) => fetch(address, { signal: AbortSignal.timeout?.(15_000) });

/** Rejects an unsuccessful response too. */
export async function readFrom(get: GetFile, address: string | URL): Promise<Response> {
  const response = await get(address);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`.trim());
  return response;
}
