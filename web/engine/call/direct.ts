import createModule, { type CreateModule } from '#glue';
import type { Compiled } from '../load/compile.ts';
import { OUT_RULES } from '../request/out.ts';
import { engineNames, withOldNames } from '../request/renamed.ts';
import type { Phasor } from '../types/api.ts';
import { openEngine } from './engine.ts';
import { arity, callOf, rejectExtraArguments, releaseRequest, withMethods } from './methods.ts';

/**
 * Creates an engine on the calling thread.
 * @param create the Emscripten glue of the program; default: that of phasor.wasm
 */
export async function directPhasor(compiled: Compiled, create: CreateModule = createModule): Promise<Phasor> {
  const { info, call } = await openEngine(compiled, create, { hasSpare: true });
  const handleOwner = { release: (number: number) => void call('release', releaseRequest(number)) };
  const methods = withMethods<Phasor>((method, args) => {
    rejectExtraArguments(method, args, arity(method), 'an engine on the calling thread takes no call options');
    const { request, result } = callOf(method, args, handleOwner, OUT_RULES);
    return result(call(method, request));
  });
  return withOldNames({ ...info, ...methods }, engineNames());
}
