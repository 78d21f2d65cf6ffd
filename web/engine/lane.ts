// One worker and the calls that wait for it. It starts when it is first needed and is asked one thing at a time; WebAssembly
// cannot be interrupted, so whoever cancels ends the worker, and the next call gets a new one.

import { PhasorError } from './errors.ts';
import type { Compiled } from './load.ts';
import { buffers, type Facts, type FromWorker, type Method, type ToWorker } from './messages.ts';
import type { Thread } from './platform.ts';

interface Job {
  readonly message: ToWorker;
  resolve(value: unknown): void;
  reject(error: PhasorError): void;
}

export class Lane {
  readonly #open: () => Thread;
  readonly #compiled: Compiled;
  readonly #queue: Job[] = [];
  #running: Job | undefined;
  #thread: Thread | undefined;
  #ended: PhasorError | undefined;

  constructor(open: () => Thread, compiled: Compiled) {
    this.#open = open;
    this.#compiled = compiled;
  }

  /** How many calls are waiting or under way. */
  get length(): number {
    return this.#queue.length + (this.#running ? 1 : 0);
  }

  /** Calls a method of the worker's engine. The arguments are handed over: they belong to nobody else. */
  call(method: Method, args: readonly unknown[], signal?: AbortSignal): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(this.#ended);
      const cancelled = new PhasorError('cancelled', `${method}: the call was cancelled`);
      if (signal?.aborted) return reject(cancelled);
      const cancel = () => {
        settle();
        reject(cancelled);
        this.#drop(job);
      };
      const settle = () => signal?.removeEventListener('abort', cancel);
      const job: Job = {
        message: { kind: 'call', method, args },
        resolve: (value) => {
          settle();
          resolve(value);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      };
      signal?.addEventListener('abort', cancel);
      this.#queue.push(job);
      this.#next();
    });
  }

  /** Starts the worker before it is needed, to learn what its engine says of itself. */
  start(): Promise<Facts> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ message: this.#greeting(), resolve: (facts) => resolve(facts as Facts), reject });
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
    const [first] = this.#queue;
    if (this.#running || !first) return;
    if (!this.#thread) {
      if (first.message.kind !== 'start') this.#queue.unshift({ message: this.#greeting(), resolve: () => {}, reject: () => {} });
      try {
        this.#thread = this.#listen(this.#open());
      } catch (thrown) {
        this.#rejectQueue(new PhasorError('unsupported', `a worker cannot be started: ${PhasorError.from(thrown).message}`));
        return;
      }
    }
    const job = this.#queue.shift() as Job;
    this.#running = job;
    this.#thread.post(job.message, job.message.kind === 'call' ? buffers(job.message.args) : []);
  }

  #listen(thread: Thread): Thread {
    thread.onMessage((data) => {
      if (thread !== this.#thread) return; // it answered while it was being ended
      const message = data as FromWorker;
      const job = this.#running;
      if (message.kind === 'failure' && job?.message.kind === 'start') {
        this.#fail(new PhasorError(message.code, message.message));
        return;
      }
      this.#running = undefined;
      if (message.kind === 'answer') job?.resolve(message.value);
      else job?.reject(new PhasorError(message.code, message.message));
      this.#next();
    });
    thread.onError((error) => {
      if (thread === this.#thread) this.#fail(new PhasorError('internal', `the worker stopped: ${error.message}`));
    });
    return thread;
  }

  /** The thread is lost, and with it what it was doing. Whoever waits gets a new one, unless this one could not even start. */
  #fail(error: PhasorError): void {
    const job = this.#close();
    job?.reject(error);
    if (job?.message.kind === 'start') this.#rejectQueue(error);
    this.#next();
  }

  /** Ends the thread. @returns what it was doing */
  #close(): Job | undefined {
    const job = this.#running;
    this.#thread?.terminate();
    this.#thread = undefined;
    this.#running = undefined;
    return job;
  }

  #drop(job: Job): void {
    if (job === this.#running) this.#close();
    else this.#queue.splice(this.#queue.indexOf(job), 1);
    this.#next();
  }

  #rejectQueue(error: PhasorError): void {
    for (const job of this.#queue.splice(0)) job.reject(error);
  }
}
