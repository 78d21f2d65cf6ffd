// The engine of the calling thread in the form that kinds expect: each result is a promise, as in a worker.
import { CALL } from '../../engine/call/call-key.ts';
import type { Phasor } from '../../engine/index.ts';
import type { Engine } from '../contract/kind.ts';

const promised = (member: unknown): unknown => (typeof member === 'function' ? async (...args: unknown[]) => member(...args) : member);

export const promisedEngine = (phasor: Phasor): Engine =>
  ({
    ...Object.fromEntries(Object.entries(phasor).map(([name, member]) => [name, promised(member)])),
    [CALL]: promised(phasor[CALL]),
  }) as unknown as Engine;
