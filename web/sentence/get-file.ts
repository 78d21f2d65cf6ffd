/** Fetches a file. Pages that cannot use `fetch` provide another implementation. */
export type FileFetcher = (url: string | URL) => Promise<Response>;

export const fetchFile: FileFetcher = (url) => fetch(url, { signal: AbortSignal.timeout?.(15_000) });

/** Fetches a file. Rejects with an error if the response status is not successful. */
export async function fetchResponse(fetcher: FileFetcher, url: string | URL): Promise<Response> {
  const response = await fetcher(url);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`.trim());
  return response;
}
