// An engine on the calling thread behind the messages of a worker.

import type { WorkerPort } from '../platform/platform.ts';
import { engineServer, type Glue } from './engine-server.ts';
import type { ToWorker } from './messages.ts';

/** A "thread" that computes after the caller's current task, and blocks the caller meanwhile. */
export const sameThreadOf = (glue: Glue) => (): WorkerPort => {
  let hasEnded = false;
  let listener: (message: unknown) => void = () => {};
  const { receive } = engineServer(glue, (message) => {
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
};
