// A tokenizer that runs in a worker, because parsing a vocabulary of 262,144 tokens takes seconds and would block the page.

import source from '#tokenizer-worker-source';
import { PhasorError } from '../engine/errors.ts';
import { browser } from '../engine/platform/browser.ts';
import type { AsyncTokenizer, TokenizedText } from './async-tokenizer.ts';
import type { TokenizerRequest, TokenizerResponse } from './messages.ts';
import type { TokenizerFiles } from './tokenizer-files.ts';

interface PendingCall {
  resolve(value: unknown): void;
  reject(error: PhasorError): void;
}

/** @throws {PhasorError} rejects with the errors of `openTokenizer`, or with `worker_unavailable` */
export async function openTokenizerWorker(files: TokenizerFiles): Promise<AsyncTokenizer> {
  const worker = browser.start(source);
  const pendingCalls: PendingCall[] = [];
  let endError: PhasorError | undefined;
  const end = (error: PhasorError): void => {
    endError ??= error;
    worker.terminate();
    for (const { reject } of pendingCalls.splice(0)) reject(endError);
  };
  worker.onMessage((message) => {
    const response = message as TokenizerResponse;
    const oldestCall = pendingCalls.shift();
    if (response.kind === 'answer') oldestCall?.resolve(response.value);
    else oldestCall?.reject(new PhasorError(response.code, response.message, response.details));
  });
  worker.onError(({ message }) => end(new PhasorError('worker_unavailable', `tokenizer: the worker stopped (${message})`)));
  const postCall = (message: TokenizerRequest): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (endError) return reject(endError);
      pendingCalls.push({ resolve, reject });
      worker.post(message, []);
    });
  try {
    await postCall({ kind: 'open', files });
  } catch (thrown) {
    end(thrown as PhasorError);
    throw thrown;
  }
  return {
    tokenize: async (text) => (await postCall({ kind: 'tokenize', text })) as TokenizedText,
    decode: async (ids) => (await postCall({ kind: 'decode', ids })) as string,
    dispose: () => end(new PhasorError('cancelled', 'tokenizer: the tokenizer was disposed of')),
  };
}
