// A handle is a JavaScript object that identifies an object in an engine by a number. All numbers are assigned here, so they are unique across the
// workers of a pool.
import { argumentError } from './errors.ts';

/// <reference lib="esnext.disposable" />
// `using` blocks call Symbol.dispose; compiled code calls the registered symbol in JavaScript engines that lack it.

/**
 * Makes `using` blocks call `dispose` when they end. Symbol.dispose is looked up on each call, because a polyfill may define it after this module
 * has run.
 */
export function makeDisposable<T extends object>(object: T, dispose: () => void): T {
  return Object.defineProperty(object, Symbol.dispose ?? Symbol.for('Symbol.dispose'), { value: dispose, configurable: true });
}

/** Letters that represent the kinds of handles in requests, as in cpp/wasm/fields.h. */
const KIND_LETTERS = { tensor: 't', encoding: 'e', cache: 'c' } as const;
const KIND_NAMES = { tensor: 'tensor handle', encoding: 'encoding handle', cache: 'cache' } as const;
export type HandleKind = keyof typeof KIND_LETTERS;

export interface HandleOwner {
  release(number: number): void;
}

interface State {
  readonly kind: HandleKind;
  readonly number: number;
  readonly owner: HandleOwner;
  disposed: boolean;
}

// The state is returned by a method, so that it can be read through a proxy of the handle. A private field could not.
const STATE = Symbol('state');
type Stateful = { readonly [STATE]: () => State };

class Handle {
  declare readonly [STATE]: () => State;

  constructor(state: State, properties: object) {
    Object.defineProperty(this, STATE, { value: () => state });
    Object.assign(this, { kind: state.kind }, properties);
    makeDisposable(this, () => this.dispose());
  }

  get disposed(): boolean {
    return this[STATE]().disposed;
  }

  dispose(): void {
    const state = this[STATE]();
    if (state.disposed) return;
    state.disposed = true;
    state.owner.release(state.number);
  }
}

let lastNumber = 0;
export const nextHandleNumber = () => ++lastNumber;

export const createHandle = (kind: HandleKind, number: number, owner: HandleOwner, properties: object): object =>
  new Handle({ kind, number, owner, disposed: false }, properties);

const stateOf = (value: object) => (typeof (value as Stateful)[STATE] === 'function' ? (value as Stateful)[STATE]() : undefined);

/** Returns the kind of a handle with its article, such as "a tensor handle". Returns undefined for other values. */
export function describeHandle(value: object): string | undefined {
  const state = stateOf(value);
  return state && `${state.kind === 'encoding' ? 'an' : 'a'} ${KIND_NAMES[state.kind]}`;
}

/** Returns the letter and the number of a handle, for a request to `owner`. Returns undefined for other values. */
export function toRequestField(path: string, value: object, owner: HandleOwner | undefined): readonly [string, number] | undefined {
  const state = stateOf(value);
  if (!state) return undefined;
  const { kind, number, disposed } = state;
  if (disposed) throw argumentError(path, `this ${KIND_NAMES[kind]} is disposed`);
  if (state.owner !== owner) throw argumentError(path, `this ${KIND_NAMES[kind]} belongs to another engine`);
  return [KIND_LETTERS[kind], number];
}
