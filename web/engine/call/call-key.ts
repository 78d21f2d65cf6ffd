import { PhasorError } from '../errors.ts';
import type { AnalysisEngine, AnalysisMethod } from '../types/api.ts';

/** The key of the function that `phasor/analysis` calls on an engine. The symbol is registered, because a program may load this module twice. */
export const CALL: unique symbol = Symbol.for('phasor.call');

/** Calls a method of `phasor/analysis` on an engine, and returns the result or a promise of it. */
export function callEngine(engine: AnalysisEngine, method: AnalysisMethod, request: object, options: readonly unknown[]): never {
  const runMethod = (engine as Partial<AnalysisEngine> | undefined)?.[CALL];
  if (runMethod) return runMethod(method, [request, ...options]) as never;
  const expectation = 'expected the result of createPhasor, createPhasorWorker or createPhasorPool';
  throw new PhasorError('invalid_argument', `${method}: argument 1 is not an engine; ${expectation}`);
}
