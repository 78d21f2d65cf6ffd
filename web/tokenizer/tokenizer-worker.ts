import { PhasorError } from '../engine/errors.ts';
import { type AsyncTokenizer, openTokenizer } from './async-tokenizer.ts';
import type { TokenizerRequest, TokenizerResponse } from './messages.ts';

declare const self: { postMessage(message: TokenizerResponse): void };

let pendingTokenizer: Promise<AsyncTokenizer> | undefined;

async function computeResult(message: TokenizerRequest): Promise<unknown> {
  if (message.kind === 'open') {
    pendingTokenizer = openTokenizer(message.files);
    await pendingTokenizer;
    return undefined;
  }
  if (!pendingTokenizer) throw new PhasorError('internal', `${message.kind}: no tokenizer was opened`);
  const tokenizer = await pendingTokenizer;
  return message.kind === 'tokenize' ? tokenizer.tokenize(message.text) : tokenizer.decode(message.ids);
}

async function respond(message: TokenizerRequest): Promise<TokenizerResponse> {
  try {
    return { kind: 'answer', value: await computeResult(message) };
  } catch (thrown) {
    const { code, message: sentence, argument, value, allowed } = PhasorError.from(thrown);
    return { kind: 'failure', code, message: sentence, details: { argument, value, allowed } };
  }
}

let queue: Promise<void> = Promise.resolve();
addEventListener('message', (event) => {
  queue = queue.then(async () => self.postMessage(await respond(event.data as TokenizerRequest)));
});
