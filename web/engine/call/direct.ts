import createModule, { type CreateModule } from '#glue';
import type { CompiledModule } from '../load/compile.ts';
import { OUT_HANDLER } from '../request/out.ts';
import { listOldEngineNames, withOldNames } from '../request/renamed.ts';
import type { Phasor } from '../types/api.ts';
import { openEngine } from './engine.ts';
import { argumentCount, prepareCall, rejectExtraArguments, releaseRequest, withMethods } from './methods.ts';

/**
 * Creates an engine on the calling thread.
 * @param create the Emscripten glue code for the compiled program; default: the glue code for phasor.wasm
 */
export async function createDirectPhasor(compiled: CompiledModule, create: CreateModule = createModule): Promise<Phasor> {
  const { info, call } = await openEngine(compiled, create, { hasSpare: true });
  const handleOwner = { release: (number: number) => void call('release', releaseRequest(number)) };
  const methods = withMethods<Phasor>((method, args) => {
    rejectExtraArguments(method, args, argumentCount(method), 'an engine on the calling thread accepts no call options');
    const { request, toResult } = prepareCall(method, args, handleOwner, OUT_HANDLER);
    return toResult(call(method, request));
  });
  return withOldNames({ ...info, ...methods }, listOldEngineNames());
}
