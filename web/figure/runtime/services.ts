// Services shared by the figures of a page, such as the engine. They are reference-counted, so the engine is disposed of after the last
// figure is removed.
import { type ReadonlySignal, signal } from '@preact/signals-core';
import { CALL } from '../../engine/call/call-key.ts';
import { PhasorError } from '../../engine/errors.ts';
import type { RemotePhasor } from '../../engine/index.ts';
import type { TrainConfig } from '../../engine/types/train-config.ts';
import type { Trainer } from '../../engine/types/trainer.ts';
import type { Diagnose } from '../contract/context.ts';
import type { DetailFigure, Vocabulary } from '../contract/kind.ts';
import type { KindSource } from '../contract/registry.ts';
import { type LanguageModelOpener, LanguageModels } from './language-models.ts';
import { createLinkGroup, type LinkGroup } from './link-group.ts';
import type { Photographs } from './photographs.ts';
import type { ShippedModels } from './shipped-models.ts';

/** Deep-copies a request, because the original may change before later requests are compared with it. */
function copyValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Float32Array) return value.slice();
  if (Array.isArray(value)) return value.map(copyValue);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, copyValue(part)]));
}

function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Float32Array && b instanceof Float32Array)
    return a.length === b.length && a.every((value, index) => Object.is(value, b[index]));
  const names = Object.keys(a);
  const getMember = (target: object, name: string): unknown => (target as { readonly [name: string]: unknown })[name];
  return (
    Array.isArray(a) === Array.isArray(b) &&
    a instanceof Float32Array === b instanceof Float32Array &&
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isEqual(getMember(a, name), getMember(b, name)))
  );
}

/**
 * Coalesces identical requests: callers that arrive during a computation receive a copy of its result. Linked figures
 * often send the same request at the same time.
 */
export function dedupe<Request, Answer>(send: (request: Request) => Promise<Answer>): (request: Request) => Promise<Answer> {
  const pendingRequests = new Set<{ readonly request: unknown; readonly result: Promise<Answer> }>();
  return (request) => {
    const identicalRequest = [...pendingRequests].find((pendingRequest) => isEqual(pendingRequest.request, request));
    if (identicalRequest) return identicalRequest.result.then((result) => structuredClone(result));
    const pendingEntry = { request: copyValue(request), result: (async () => send(request))() };
    pendingRequests.add(pendingEntry);
    const removeEntry = (): void => {
      pendingRequests.delete(pendingEntry);
    };
    pendingEntry.result.then(removeEntry, removeEntry);
    return pendingEntry.result;
  };
}

/** Wraps an engine so that identical concurrent permutation tests are computed only once. */
export const dedupeEngine = <Shared extends RemotePhasor>(engine: Shared): Shared => {
  const permutationTest = dedupe((request: unknown) => engine[CALL]('permutationTest', [request]));
  return { ...engine, [CALL]: (method, args) => (method === 'permutationTest' ? permutationTest(args[0]) : engine[CALL](method, args)) };
};

export interface PageEngine extends RemotePhasor {
  /** Creates a trainer in the engine's memory, for models that are only evaluated; undefined if the WebAssembly cannot train. */
  createTrainer?(config: TrainConfig): Promise<Trainer>;
}

export interface ServiceSources {
  /**
   * Starts the engine; called again after it has ended.
   * @param runsModels whether the figure that needs the engine runs a trained model
   */
  startEngine(runsModels: boolean): Promise<PageEngine>;
  /** Creates a trainer in a separate worker, whose script is loaded on demand; default: the page cannot train. */
  createTrainer?(config: TrainConfig): Promise<Trainer>;
  /** Diagnoses dumped tensors in a separate worker, whose script is loaded on demand; default: the page cannot diagnose. */
  readonly diagnose?: Diagnose | undefined;
  /** Loads the training text; default: the page has none. */
  corpus?(): Promise<string>;
  /**
   * Returns the trained models of the page, or those in `folder`; default: the page has none.
   * @param createSharedTrainer creates trainers that several figures share, in the memory of the engine if the engine can train
   */
  models?(createSharedTrainer: TrainerFactory, folder?: string): Promise<ShippedModels>;
  /** Opens language models, whose script is loaded on demand; default: the page has none. */
  readonly openLanguageModel?: LanguageModelOpener | undefined;
  readonly vocabulary: Vocabulary;
  readonly photographs: Photographs;
  readonly kinds: KindSource;
  /** The URL of a script that defines <phasor-figure> in other pages; default: unknown. */
  readonly script?: string | undefined;
  /** The name of an encoding within a sentence; default: its id. */
  nameOf?(id: string): string;
  /** Shows a figure of another kind on this page; default: figures link to another page. */
  openKind?(openedKind: DetailFigure): void;
}

/** The services of a page for a single figure, until the figure releases them. */
export interface Services {
  readonly createTrainer?: ServiceSources['createTrainer'] | undefined;
  readonly diagnose?: Diagnose | undefined;
  readonly corpus?: ServiceSources['corpus'] | undefined;
  readonly models?: ((folder?: string) => Promise<ShippedModels>) | undefined;
  /** The language models of the page; undefined if the page has none. */
  readonly languageModels?: LanguageModels | undefined;
  readonly vocabulary: Vocabulary;
  readonly photographs: Photographs;
  readonly nameOf?: ((id: string) => string) | undefined;
  readonly openKind?: ServiceSources['openKind'] | undefined;
  /**
   * Returns the engine. The first call starts it. Rejects with a PhasorError.
   * @param runsModels whether the figure runs a trained model
   */
  engine(runsModels?: boolean): Promise<PageEngine>;
  /** Number of engines that `restart` has ended. Pending and failed computations are repeated when it changes. */
  readonly restartCount: ReadonlySignal<number>;
  /**
   * Ends the engine of all figures, for example because it no longer responds. The next call of `engine` starts a new
   * engine.
   */
  restart(): void;
  /** Number of retries after the word vectors could not be loaded. Figures are recomputed when it changes. */
  readonly wordRetryCount: ReadonlySignal<number>;
  /** Loads the word vectors of all figures again after a failure. */
  retryWords(): void;
  /** Joins the link group with this name; without a name, creates a new group. */
  joinGroup(name: string | undefined): LinkGroup;
  /** Leaves a link group. An empty group is deleted. */
  leaveGroup(name: string | undefined): void;
  release(): void;
}

export type TrainerFactory = (config: TrainConfig) => Promise<Trainer>;

/** Time in ms before an unused engine is disposed of, because moving a figure within the page briefly removes it. */
const IDLE_TIMEOUT_MS = 5000;

export class PageServices {
  private readonly groups = new Map<string, { readonly group: LinkGroup; users: number }>();
  private pendingEngine: Promise<PageEngine> | undefined;
  private readonly restartCount = signal(0);
  private readonly wordRetryCount = signal(0);
  private readonly languageModels: LanguageModels | undefined;
  private userCount = 0;
  private idleTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly sources: ServiceSources) {
    this.languageModels = sources.openLanguageModel && new LanguageModels(sources.openLanguageModel);
  }

  get kinds(): KindSource {
    return this.sources.kinds;
  }

  get script(): string | undefined {
    return this.sources.script;
  }

  get figureCount(): number {
    return this.userCount;
  }

  acquire(): Services {
    this.userCount += 1;
    clearTimeout(this.idleTimer);
    const joinedGroups: string[] = [];
    let isReleased = false;
    const { createTrainer, models } = this.sources;
    return {
      createTrainer,
      diagnose: this.sources.diagnose,
      corpus: this.sources.corpus,
      models: models && createTrainer && (async (folder) => models((await this.engine(true)).createTrainer ?? createTrainer, folder)),
      languageModels: this.languageModels,
      vocabulary: this.sources.vocabulary,
      photographs: this.sources.photographs,
      nameOf: this.sources.nameOf,
      openKind: this.sources.openKind,
      // A released figure must not start an engine, because nothing would dispose of it.
      engine: (runsModels = false) =>
        isReleased ? Promise.reject(new PhasorError('cancelled', 'the figure was removed')) : this.engine(runsModels),
      restartCount: this.restartCount,
      restart: () => {
        this.end();
        this.restartCount.value += 1;
      },
      wordRetryCount: this.wordRetryCount,
      retryWords: () => {
        this.sources.vocabulary.retry?.();
        this.wordRetryCount.value += 1;
      },
      joinGroup: (name) => {
        if (name === undefined) return createLinkGroup();
        joinedGroups.push(name);
        return this.joinGroup(name);
      },
      leaveGroup: (name) => {
        const groupIndex = name === undefined ? -1 : joinedGroups.indexOf(name);
        if (groupIndex >= 0) for (const groupName of joinedGroups.splice(groupIndex, 1)) this.leaveGroup(groupName);
      },
      release: () => {
        if (isReleased) return;
        isReleased = true;
        for (const name of joinedGroups) this.leaveGroup(name);
        this.userCount -= 1;
        if (this.userCount > 0) return;
        this.idleTimer = setTimeout(() => {
          this.end();
          this.languageModels?.dispose();
        }, IDLE_TIMEOUT_MS);
      },
    };
  }

  private engine(runsModels: boolean): Promise<PageEngine> {
    if (this.pendingEngine) return this.pendingEngine;
    const startingEngine = this.sources
      .startEngine(runsModels)
      .then(dedupeEngine)
      .catch((thrown: unknown) => {
        // Allows the next call to retry, unless another engine has been started since.
        if (this.pendingEngine === startingEngine) this.pendingEngine = undefined;
        throw PhasorError.from(thrown);
      });
    this.pendingEngine = startingEngine;
    return startingEngine;
  }

  private joinGroup(name: string): LinkGroup {
    const groupEntry = this.groups.get(name) ?? { group: createLinkGroup(), users: 0 };
    groupEntry.users += 1;
    this.groups.set(name, groupEntry);
    return groupEntry.group;
  }

  private leaveGroup(name: string): void {
    const groupEntry = this.groups.get(name);
    if (!groupEntry) return;
    groupEntry.users -= 1;
    if (groupEntry.users === 0) this.groups.delete(name);
  }

  private end(): void {
    const { pendingEngine } = this;
    this.pendingEngine = undefined;
    pendingEngine?.then(
      (engine) => engine.dispose(),
      () => {},
    );
  }
}

/**
 * Time in ms without a response after which an engine is considered lost. Browsers do not report that they have
 * terminated a worker.
 */
const ENGINE_TIMEOUT_MS = 20_000;

export class EngineWatchdog {
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #onTimeout: (seconds: number) => void;

  constructor(onTimeout: (seconds: number) => void) {
    this.#onTimeout = onTimeout;
  }

  /** Restarts the timeout, because the engine has started to work or has responded. */
  reset(): void {
    this.stop();
    this.#timer = setTimeout(() => this.#onTimeout(ENGINE_TIMEOUT_MS / 1000), ENGINE_TIMEOUT_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
