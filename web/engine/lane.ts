// One worker and the calls that wait for it. It starts when it is first needed and answers in the order it was asked. WebAssembly
// cannot be interrupted, so whoever cancels ends the worker, and the next call gets a new one; a call that may be cancelled is
// therefore alone with its worker, while others are sent ahead: the worker need not wait for a page that is busy drawing.

import { onAbort } from './cancellation.ts';
import { PhasorError } from './errors.ts';
import type { FlatRequest } from './flat-request.ts';
import type { Compiled } from './load.ts';
import { buffers, type Facts, type FromWorker, type ToWorker } from './messages.ts';
import type { Method } from './methods.ts';
import type { Thread } from './platform.ts';

interface Job {
  readonly message: ToWorker;
  readonly isAlone: boolean;
  resolve(value: unknown): void;
  reject(error: PhasorError): void;
}

export class Lane {
  readonly #open: () => Thread;
  readonly #compiled: Compiled;
  readonly #queue: Job[] = [];
  #running: Job[] = [];
  #thread: Thread | undefined;
  #ended: PhasorError | undefined;

  constructor(open: () => Thread, compiled: Compiled) {
    this.#open = open;
    this.#compiled = compiled;
  }

  /** How many calls are waiting or under way. */
  get length(): number {
    return this.#queue.length + this.#running.length;
  }

  /** Calls a method of the worker's engine. The arrays of the request are handed over: they belong to nobody else. */
  call(method: Method, request: FlatRequest, signal?: AbortSignal): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(this.#ended);
      const cancelled = new PhasorError('cancelled', `${method}: the call was cancelled`);
      if (signal?.aborted) return reject(cancelled);
      const cancel = () => {
        settle();
        reject(cancelled);
        this.#drop(job);
      };
      const job: Job = {
        message: { kind: 'call', method, request },
        isAlone: signal !== undefined,
        resolve: (value) => {
          settle();
          resolve(value);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      };
      const settle = signal ? onAbort(signal, cancel) : () => {};
      this.#queue.push(job);
      this.#next();
    });
  }

  /** Starts the worker before it is needed, to learn what its engine says of itself. */
  start(): Promise<Facts> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ message: this.#greeting(), isAlone: true, resolve: (facts) => resolve(facts as Facts), reject });
      this.#next();
    });
  }

  /** Ends the worker; calls waiting or under way are rejected, and so are all later ones. */
  end(error: PhasorError): void {
    this.#ended ??= error;
    this.#rejectQueue(error);
    this.#fail(error);
  }

  #greeting(): ToWorker {
    return { kind: 'start', compiled: this.#compiled };
  }

  #next(): void {
    for (let job = this.#queue[0]; job && this.#isFreeFor(job); job = this.#queue[0]) {
      if (!this.#thread) {
        if (job.message.kind !== 'start') {
          job = { message: this.#greeting(), isAlone: true, resolve: () => {}, reject: () => {} };
          this.#queue.unshift(job);
        }
        try {
          this.#thread = this.#listen(this.#open());
        } catch (thrown) {
          this.#rejectQueue(new PhasorError('unsupported', `a worker cannot be started: ${PhasorError.from(thrown).message}`));
          return;
        }
      }
      this.#queue.shift();
      this.#running.push(job);
      try {
        this.#thread.post(job.message, job.message.kind === 'call' ? buffers(job.message.request.arrays) : []);
      } catch (thrown) {
        this.#running.pop();
        job.reject(new PhasorError('resource_exhausted', `the request cannot be sent to the worker (${PhasorError.from(thrown).message})`));
      }
    }
  }

  #isFreeFor(job: Job): boolean {
    return this.#running.length === 0 || !(job.isAlone || this.#running.some(({ isAlone }) => isAlone));
  }

  #listen(thread: Thread): Thread {
    thread.onMessage((data) => {
      if (thread !== this.#thread) return; // it answered while it was being ended
      const message = data as FromWorker;
      const job = this.#running[0];
      if (message.kind === 'failure' && job?.message.kind === 'start') {
        this.#fail(new PhasorError(message.code, message.message));
        return;
      }
      this.#running.shift();
      if (message.kind === 'answer') job?.resolve(message.value);
      else job?.reject(new PhasorError(message.code, message.message));
      this.#next();
    });
    thread.onError((error) => {
      if (thread === this.#thread) this.#fail(new PhasorError('internal', `the worker stopped: ${error.message}`));
    });
    return thread;
  }

  /** The thread is lost, and with it what it had been asked. Whoever waits gets a new one, unless this one could not even start. */
  #fail(error: PhasorError): void {
    const jobs = this.#close();
    for (const job of jobs) job.reject(error);
    if (jobs[0]?.message.kind === 'start') this.#rejectQueue(error);
    this.#next();
  }

  /** Ends the thread. @returns what it had been asked */
  #close(): Job[] {
    this.#thread?.terminate();
    this.#thread = undefined;
    return this.#running.splice(0);
  }

  #drop(job: Job): void {
    if (this.#running.includes(job)) this.#close();
    else this.#queue.splice(this.#queue.indexOf(job), 1);
    this.#next();
  }

  #rejectQueue(error: PhasorError): void {
    for (const job of this.#queue.splice(0)) job.reject(error);
  }
}
