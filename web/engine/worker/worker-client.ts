// Manages one worker and a queue of calls. The first call starts the worker, which processes calls in order. WebAssembly cannot be
// interrupted, so cancelling a call terminates the worker, and the next call starts a new one. Calls that can be cancelled are therefore
// sent only when the worker is idle. Other calls are sent immediately, so that the worker need not wait for a busy page between calls.

import { type RawMethod, releaseRequest } from '../call/methods.ts';
import { PhasorError } from '../errors.ts';
import type { CompiledModule } from '../load/compile.ts';
import type { WorkerPort } from '../platform/platform.ts';
import type { FlatRequest } from '../request/flat-request.ts';
import { onAbort } from './cancellation.ts';
import { type EngineInfo, listBuffers, type WorkerReply, type WorkerRequest } from './messages.ts';

interface Job {
  readonly message: WorkerRequest;
  readonly isExclusive: boolean;
  resolve(value: unknown): void;
  reject(error: PhasorError): void;
}

const toStartError = (thrown: unknown) => {
  const { code, message } = PhasorError.from(thrown);
  return code === 'internal' ? new PhasorError('worker_unavailable', `a worker cannot be started: ${message}`) : (thrown as PhasorError);
};

export class WorkerClient {
  readonly #openPort: () => WorkerPort;
  readonly #compiled: CompiledModule;
  readonly #queue: Job[] = [];
  #pending: Job[] = [];
  #port: WorkerPort | undefined;
  #endError: PhasorError | undefined;

  constructor(openPort: () => WorkerPort, compiled: CompiledModule) {
    this.#openPort = openPort;
    this.#compiled = compiled;
  }

  get callCount(): number {
    return this.#queue.length + this.#pending.length;
  }

  /** Calls a method of the engine in the worker. The request's arrays are transferred, so the caller must not use them afterwards. */
  call(method: RawMethod, request: FlatRequest, signal?: AbortSignal): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#endError) return reject(this.#endError);
      const cancelledError = () => new PhasorError('cancelled', `${method}: the call was cancelled`);
      if (signal?.aborted) return reject(cancelledError());
      const cancel = () => {
        unregister();
        reject(cancelledError());
        this.#dropJob(job);
      };
      const job: Job = {
        message: { kind: 'call', method, request },
        isExclusive: signal !== undefined,
        resolve: (value) => {
          unregister();
          resolve(value);
        },
        reject: (error) => {
          unregister();
          reject(error);
        },
      };
      const unregister = signal ? onAbort(signal, cancel) : () => {};
      this.#queue.push(job);
      this.#sendNext();
    });
  }

  /** Frees the object behind a handle. If the worker was terminated, the object no longer exists. */
  release(handleNumber: number): void {
    if (this.#port) this.call('release', releaseRequest(handleNumber)).catch(() => {});
  }

  start(): Promise<EngineInfo> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ message: this.#startMessage(), isExclusive: true, resolve: (info) => resolve(info as EngineInfo), reject });
      this.#sendNext();
    });
  }

  /** Terminates the worker. Queued, pending and later calls are rejected. */
  end(error: PhasorError): void {
    this.#endError ??= error;
    this.#rejectQueue(error);
    this.#failPending(error);
  }

  #startMessage(): WorkerRequest {
    return { kind: 'start', compiled: this.#compiled };
  }

  #sendNext(): void {
    for (let job = this.#queue[0]; job && this.#canSend(job); job = this.#queue[0]) {
      if (!this.#port) {
        if (job.message.kind !== 'start') {
          job = { message: this.#startMessage(), isExclusive: true, resolve: () => {}, reject: () => {} };
          this.#queue.unshift(job);
        }
        try {
          this.#port = this.#listen(this.#openPort());
        } catch (thrown) {
          this.#rejectQueue(toStartError(thrown));
          return;
        }
      }
      this.#queue.shift();
      this.#pending.push(job);
      try {
        this.#port.post(job.message, job.message.kind === 'call' ? listBuffers(job.message.request.arrays) : []);
      } catch (thrown) {
        this.#pending.pop();
        job.reject(new PhasorError('resource_exhausted', `the request cannot be sent to the worker (${PhasorError.from(thrown).message})`));
      }
    }
  }

  #canSend(job: Job): boolean {
    return this.#pending.length === 0 || !(job.isExclusive || this.#pending.some(({ isExclusive }) => isExclusive));
  }

  #listen(port: WorkerPort): WorkerPort {
    port.onMessage((data) => {
      if (port !== this.#port) return; // from a terminated worker
      const message = data as WorkerReply;
      const job = this.#pending[0];
      if (message.kind === 'failure' && job?.message.kind === 'start') {
        this.#failPending(new PhasorError(message.code, message.message, message.details));
        return;
      }
      this.#pending.shift();
      if (message.kind === 'answer') job?.resolve(message.value);
      else job?.reject(new PhasorError(message.code, message.message, message.details));
      this.#sendNext();
    });
    port.onError((error) => {
      if (port !== this.#port) return;
      const isStarting = this.#pending[0]?.message.kind === 'start';
      this.#failPending(isStarting ? toStartError(error) : new PhasorError('internal', `the worker stopped: ${error.message}`));
    });
    return port;
  }

  /**
   * Terminates the worker and rejects its pending calls. Queued calls are sent to a new worker, or rejected if the old one failed to start.
   */
  #failPending(error: PhasorError): void {
    const jobs = this.#terminate();
    for (const job of jobs) job.reject(error);
    if (jobs[0]?.message.kind === 'start') this.#rejectQueue(error);
    this.#sendNext();
  }

  /**
   * Terminates the worker.
   * @returns its pending calls
   */
  #terminate(): Job[] {
    this.#port?.terminate();
    this.#port = undefined;
    return this.#pending.splice(0);
  }

  #dropJob(job: Job): void {
    if (this.#pending.includes(job)) this.#terminate();
    else this.#queue.splice(this.#queue.indexOf(job), 1);
    this.#sendNext();
  }

  #rejectQueue(error: PhasorError): void {
    for (const job of this.#queue.splice(0)) job.reject(error);
  }
}
