// Wraps an engine that runs in the calling thread, so that its methods return promises like those of a worker engine.
import { CALL } from '../../engine/call/call-key.ts';
import type { Phasor } from '../../engine/index.ts';
import type { Engine } from '../contract/kind.ts';

const toAsync = (member: unknown): unknown => (typeof member === 'function' ? async (...args: unknown[]) => member(...args) : member);

export const toAsyncEngine = (phasor: Phasor): Engine =>
  ({
    ...Object.fromEntries(Object.entries(phasor).map(([name, member]) => [name, toAsync(member)])),
    [CALL]: toAsync(phasor[CALL]),
  }) as unknown as Engine;
