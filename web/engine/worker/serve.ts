import { PhasorError } from '../errors.ts';
import { createEngineServer, type Glue, type SendReply } from './engine-server.ts';
import type { WorkerRequest } from './messages.ts';

declare const self: { postMessage: SendReply };

export function serve(glue: Glue): void {
  const { receive, fail } = createEngineServer(glue, (message, transfer) => self.postMessage(message, transfer));
  addEventListener('message', (event) => receive(event.data as WorkerRequest));
  addEventListener('messageerror', () =>
    fail(new PhasorError('resource_exhausted', 'the worker ran out of memory while receiving the request')),
  );
}
