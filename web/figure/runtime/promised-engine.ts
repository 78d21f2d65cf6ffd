// Adapts the engine of the calling thread to the interface that kinds expect: methods return promises, as with a worker.
import { CALL } from '../../engine/call/call-key.ts';
import type { Phasor } from '../../engine/index.ts';
import type { Engine } from '../contract/kind.ts';

const toAsync = (member: unknown): unknown => (typeof member === 'function' ? async (...args: unknown[]) => member(...args) : member);

export const toAsyncEngine = (phasor: Phasor): Engine =>
  ({
    ...Object.fromEntries(Object.entries(phasor).map(([name, member]) => [name, toAsync(member)])),
    [CALL]: toAsync(phasor[CALL]),
  }) as unknown as Engine;
