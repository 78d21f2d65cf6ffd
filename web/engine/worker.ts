// Runs in a worker: an engine that is called by messages.

import { PhasorError } from './errors.ts';
import { engineServer, type Reply } from './worker/engine-server.ts';
import type { ToWorker } from './worker/messages.ts';

declare const self: { postMessage: Reply };

const { receive, fail } = engineServer((message, transfer) => self.postMessage(message, transfer));
addEventListener('message', (event) => receive(event.data as ToWorker));
addEventListener('messageerror', () =>
  fail(new PhasorError('resource_exhausted', 'the worker ran out of memory while receiving the request')),
);
