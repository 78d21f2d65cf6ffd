import { PhasorError } from '../errors.ts';
import type { AnalysisEngine, AnalysisMethod } from '../types/api.ts';

/** Key of the engine method that `phasor/analysis` calls. Uses the global symbol registry, because a program may load this module twice. */
export const CALL: unique symbol = Symbol.for('phasor.call');

/** Calls an analysis method on an engine. Returns the result or a promise of it. */
export function callEngine(engine: AnalysisEngine, method: AnalysisMethod, request: object, options: readonly unknown[]): never {
  const runMethod = (engine as Partial<AnalysisEngine> | undefined)?.[CALL];
  if (runMethod) return runMethod(method, [request, ...options]) as never;
  const expectation = 'expected the result of createPhasor, createPhasorWorker or createPhasorPool';
  throw new PhasorError('invalid_argument', `${method}: argument 1 is not an engine; ${expectation}`);
}
