import { openEngine } from './engine.ts';
import type { Compiled } from './load.ts';
import { arity, refuseExtraArguments, requestOf, withMethods } from './methods.ts';
import type { Phasor } from './types.ts';

/** The engine on the calling thread. */
export async function directPhasor(compiled: Compiled): Promise<Phasor> {
  const { info, call } = await openEngine(compiled);
  const methods = withMethods<Phasor>((method) => (...args) => {
    refuseExtraArguments(method, args, arity(method), 'an engine on the calling thread takes no options');
    return call(method, requestOf(method, args));
  });
  return { ...info, ...methods };
}
