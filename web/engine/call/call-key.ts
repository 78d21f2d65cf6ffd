/** The key of the function by which `phasor/analysis` calls an engine. Registered, because a program may have this module twice. */
export const CALL: unique symbol = Symbol.for('phasor.call');
