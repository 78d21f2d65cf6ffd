// Files that lie beside a page's script, fetched when they are first needed.

/** Like `fetch`, for places where that does not read files. */
export type GetFile = (address: string | URL) => Promise<Response>;

// Longer than 15 seconds nobody waits for a file.
export const fetchFile: GetFile = (address) => fetch(address, { signal: AbortSignal.timeout?.(15_000) });

/** Rejects also where there is an answer without the file. */
export async function readFrom(get: GetFile, address: string | URL): Promise<Response> {
  const response = await get(address);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`.trim());
  return response;
}
