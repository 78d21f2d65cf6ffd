// Runs in a worker: an engine that is called by messages.

import { PhasorError } from '../errors.ts';
import { engineServer, type Glue, type Reply } from './engine-server.ts';
import type { ToWorker } from './messages.ts';

declare const self: { postMessage: Reply };

export function serve(glue: Glue): void {
  const { receive, fail } = engineServer(glue, (message, transfer) => self.postMessage(message, transfer));
  addEventListener('message', (event) => receive(event.data as ToWorker));
  addEventListener('messageerror', () =>
    fail(new PhasorError('resource_exhausted', 'the worker ran out of memory while receiving the request')),
  );
}
