// The fallback if no worker can be started: the engine on the calling thread, behind the same messages.

import type { WorkerPort } from '../platform/platform.ts';
import { engineServer } from './engine-server.ts';
import type { ToWorker } from './messages.ts';

/** A "thread" that computes after the caller's current task, and blocks the caller meanwhile. */
export function sameThread(): WorkerPort {
  let hasEnded = false;
  let listener: (message: unknown) => void = () => {};
  const { receive } = engineServer((message) => {
    if (!hasEnded) listener(message);
  });
  return {
    post: (message) =>
      void setTimeout(() => {
        if (!hasEnded) receive(message as ToWorker);
      }),
    onMessage: (listen) => {
      listener = listen;
    },
    onError: () => {}, // it ends with the page
    terminate: () => {
      hasEnded = true;
    },
  };
}
