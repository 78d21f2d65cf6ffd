// Fetches and compiles a WebAssembly file, with one message for each kind of failure.
import { argumentError, type ErrorCode, PhasorError } from '../errors.ts';
import { forbidden, watchPolicy } from './policy.ts';
import { compileBytes, wasmProblem } from './wasm-bytes.ts';

const MAX_SHOWN = 200; // characters of a URL, which may be a long data: URL
const MAX_WAIT = 2 ** 31 - 1; // the limit of setTimeout, in milliseconds

export const notLoaded = (url: URL, code: ErrorCode, why: string) =>
  argumentError('wasm', `${url.href.slice(0, MAX_SHOWN)} could not be loaded (${why})`, { code });

export const noResponse = (timeout: number) => `no response within ${timeout / 1000} seconds; the option timeout sets how long to wait`;

/** Calls `cancel` after `timeout` milliseconds. @returns a function that stops the timer */
export function deadline(timeout: number, cancel: () => void): () => void {
  const timer = timeout > MAX_WAIT ? undefined : setTimeout(cancel, timeout);
  return () => clearTimeout(timer);
}

/** Fetches the file and passes the response to `read`; the timeout in milliseconds applies to each of the two. */
async function fetchResponse<T>(url: URL, timeout: number, read: (response: Response) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const wait = () => deadline(timeout, () => controller.abort());
  const policy = watchPolicy();
  let stop = wait();
  try {
    const response = await fetch(url, { signal: controller.signal });
    stop();
    const { status } = response;
    if (!response.ok) throw notLoaded(url, status === 404 || status === 410 ? 'not_found' : 'fetch_failed', `status ${status}`);
    stop = wait();
    return await read(response);
  } catch (thrown) {
    if (controller.signal.aborted) throw notLoaded(url, 'timeout', noResponse(timeout));
    if (thrown instanceof PhasorError) throw thrown;
    const { message } = PhasorError.from(thrown);
    const directive = await policy.directive((blocked) => blocked !== '' && url.href.startsWith(blocked));
    if (directive) throw forbidden('wasm', directive, 'it must allow this URL', url.href);
    throw notLoaded(url, 'fetch_failed', message);
  } finally {
    stop();
    policy.stop();
  }
}

/**
 * Compiles while streaming if the engine supports it and the content type is correct, because browsers cache compiled code only then. If
 * streaming fails, the file is fetched again as bytes, which reveal the reason.
 */
export async function compileFrom(url: URL, timeout: number): Promise<WebAssembly.Module> {
  const lost = (code: ErrorCode, why: string) => notLoaded(url, code, why);
  const compileWhole = async (response: Response) => {
    const buffer = await response.arrayBuffer().catch((thrown) => {
      throw lost('truncated', `the response was interrupted: ${PhasorError.from(thrown).message}`);
    });
    const bytes = new Uint8Array(buffer);
    // The first bytes decide, because some servers send every file as text/html.
    if (/^text\/html/i.test(response.headers.get('content-type') ?? '') && wasmProblem(bytes)?.[0] === 'not_wasm') {
      throw lost('not_wasm', 'the response is an HTML page, not WebAssembly');
    }
    return compileBytes(bytes, lost);
  };
  const module = await fetchResponse(url, timeout, async (response) => {
    const isNamed = response.headers.get('content-type')?.trim().toLowerCase() === 'application/wasm';
    if (!(isNamed && WebAssembly.compileStreaming)) return compileWhole(response);
    return WebAssembly.compileStreaming(response).catch(() => undefined);
  });
  return module ?? fetchResponse(url, timeout, compileWhole);
}
