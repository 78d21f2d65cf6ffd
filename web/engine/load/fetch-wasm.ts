// Fetches and compiles a WebAssembly file, with one message for each kind of failure.
import { argumentError, type ErrorCode, PhasorError } from '../errors.ts';
import { policyError, watchPolicy } from './policy.ts';
import { compileBytes, findWasmProblem } from './wasm-bytes.ts';

const MAX_URL_LENGTH = 200; // maximum length of a URL in an error message; data: URLs may be long
const MAX_TIMEOUT_MS = 2 ** 31 - 1; // the limit of setTimeout, in milliseconds

export const notLoadedError = (url: URL, code: ErrorCode, reason: string) =>
  argumentError('wasm', `${url.href.slice(0, MAX_URL_LENGTH)} could not be loaded (${reason})`, { code });

export const timeoutReason = (timeoutMs: number) =>
  `no response within ${timeoutMs / 1000} seconds; increase the timeout option to wait longer`;

/** Calls `cancel` after `timeoutMs` milliseconds. @returns a function that stops the timer */
export function startTimeout(timeoutMs: number, cancel: () => void): () => void {
  const timer = timeoutMs > MAX_TIMEOUT_MS ? undefined : setTimeout(cancel, timeoutMs);
  return () => clearTimeout(timer);
}

/** Fetches the file and passes the response to `readResponse`. The timeout in milliseconds applies to each of the two steps. */
async function fetchResponse<T>(url: URL, timeoutMs: number, readResponse: (response: Response) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const startTimer = () => startTimeout(timeoutMs, () => controller.abort());
  const policy = watchPolicy();
  let stopTimer = startTimer();
  try {
    const response = await fetch(url, { signal: controller.signal });
    stopTimer();
    const { status } = response;
    if (!response.ok) throw notLoadedError(url, status === 404 || status === 410 ? 'not_found' : 'fetch_failed', `status ${status}`);
    stopTimer = startTimer();
    return await readResponse(response);
  } catch (thrown) {
    if (controller.signal.aborted) throw notLoadedError(url, 'timeout', timeoutReason(timeoutMs));
    if (thrown instanceof PhasorError) throw thrown;
    const { message } = PhasorError.from(thrown);
    const directive = await policy.directive((blocked) => blocked !== '' && url.href.startsWith(blocked));
    if (directive) throw policyError('wasm', directive, 'it must allow this URL', url.href);
    throw notLoadedError(url, 'fetch_failed', message);
  } finally {
    stopTimer();
    policy.stop();
  }
}

/**
 * Compiles while streaming if that is supported and the content type is correct, because browsers only cache code that was compiled in this way. If
 * streaming fails, fetches the file again as bytes to determine the reason.
 */
export async function compileUrl(url: URL, timeoutMs: number): Promise<WebAssembly.Module> {
  const loadError = (code: ErrorCode, reason: string) => notLoadedError(url, code, reason);
  const compileBuffered = async (response: Response) => {
    const buffer = await response.arrayBuffer().catch((thrown) => {
      throw loadError('truncated', `the response was interrupted: ${PhasorError.from(thrown).message}`);
    });
    const bytes = new Uint8Array(buffer);
    // The content type alone is not enough, because some servers send every file as text/html.
    if (/^text\/html/i.test(response.headers.get('content-type') ?? '') && findWasmProblem(bytes)?.[0] === 'not_wasm') {
      throw loadError('not_wasm', 'the response is an HTML page, not WebAssembly');
    }
    return compileBytes(bytes, loadError);
  };
  const module = await fetchResponse(url, timeoutMs, async (response) => {
    const hasWasmType = response.headers.get('content-type')?.trim().toLowerCase() === 'application/wasm';
    if (!(hasWasmType && WebAssembly.compileStreaming)) return compileBuffered(response);
    return WebAssembly.compileStreaming(response).catch(() => undefined);
  });
  return module ?? fetchResponse(url, timeoutMs, compileBuffered);
}
