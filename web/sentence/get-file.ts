// Fetches files in the folder of a page's script.

/** A function that fetches a file; pages that cannot `fetch` files have a replacement. */
export type GetFile = (address: string | URL) => Promise<Response>;

// Fetches with a timeout of 15 seconds.
export const fetchFile: GetFile = (address) => fetch(address, { signal: AbortSignal.timeout?.(15_000) });

/** Fetches a file. Rejects with an error if the response status is not successful. */
export async function readFrom(get: GetFile, address: string | URL): Promise<Response> {
  const response = await get(address);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`.trim());
  return response;
}
