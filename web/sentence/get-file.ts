// Files beside a page's script, loaded on demand.

/** A replacement of `fetch` where that cannot read files. */
export type GetFile = (address: string | URL) => Promise<Response>;

// The timeout of a file is 15 seconds.
export const fetchFile: GetFile = (address) => fetch(address, { signal: AbortSignal.timeout?.(15_000) });

/** Also rejects a response without the file. */
export async function readFrom(get: GetFile, address: string | URL): Promise<Response> {
  const response = await get(address);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`.trim());
  return response;
}
