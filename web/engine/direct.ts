import type { RawError, RawModule } from '#glue';
import { PhasorError } from './errors.ts';
import { type FlatRequest, flatRequest } from './flat-request.ts';
import { type Compiled, instantiate, instantiateNow } from './load.ts';
import type { Method } from './messages.ts';
import type { Phasor } from './types.ts';

function flat(name: string, request: object): FlatRequest {
  try {
    return flatRequest(request);
  } catch (thrown) {
    throw new PhasorError('invalid_argument', `${name}: the request cannot be read (${PhasorError.from(thrown).message})`);
  }
}

/** What a call that did not come to its end says of itself. */
function stopped(name: string, thrown: unknown): PhasorError {
  const { message } = PhasorError.from(thrown);
  // C++ aborts when it gets no memory, JavaScript throws a RangeError.
  const memory = thrown instanceof RangeError || message.startsWith('Aborted');
  return memory
    ? new PhasorError('resource_exhausted', `${name}: the memory did not suffice; a WebAssembly instance has at most 2 GiB`)
    : new PhasorError('internal', `${name}: the computation stopped (${message})`);
}

/** The engine on the calling thread: shapes, typed arrays and errors; never the heap. */
export async function directPhasor({ module, variant }: Compiled): Promise<Phasor> {
  let raw: RawModule | undefined = await instantiate(module);
  const facts = { variant, version: raw.version(), encodings: raw.encodings() };

  // Answers are {…} or {error}; the core validates every argument, so nothing is checked twice here.
  const call = (name: Method, request: object) => {
    if (typeof request !== 'object' || request === null) {
      throw new PhasorError('invalid_argument', `${name}: argument 1 is ${String(request)}; an object is needed`);
    }
    const { fields, numbers, arrays } = flat(name, request);
    let answer: object | RawError;
    try {
      raw ??= instantiateNow(module);
      answer = raw.call(name, fields, numbers, arrays);
    } catch (thrown) {
      // What was thrown went through WebAssembly that did not unwind: its stack and its heap are not to be trusted any more.
      raw = undefined;
      throw stopped(name, thrown);
    }
    if ('error' in answer) throw new PhasorError(answer.error.code, answer.error.message);
    return answer as never;
  };
  return {
    ...facts,
    table: (request) => call('table', request),
    angles: (request) => call('angles', request),
    bias: (request) => call('bias', request),
    rotate: (x, request) => call('rotate', { ...request, x }),
    rotationMatrix: (request) => call('rotationMatrix', request),
    ropeFrequencies: (request) => call('ropeFrequencies', request),
    ropeModel: (config, request = {}) => call('ropeModel', { ...request, config }),
    combine: (request) => call('combine', request),
    positionIds: (request) => call('positionIds', request),
    attention: (request) => call('attention', request),
    attentionGradient: (request) => call('attentionGradient', request),
    layer: (request) => call('layer', request),
    layerGradient: (request) => call('layerGradient', request),
    openCache: (request) => call('openCache', request),
    decode: (request) => call('decode', request),
    closeCache: (request) => call('closeCache', request),
    similarity: (request) => call('similarity', request),
    distanceProfile: (request) => call('distanceProfile', request),
    tableFacts: (request) => call('tableFacts', request),
    spectrum: (request) => call('spectrum', request),
    principalComponents: (request) => call('principalComponents', request),
    decodability: (request) => call('decodability', request),
    shiftMatrix: (request) => call('shiftMatrix', request),
    shiftResidual: (request) => call('shiftResidual', request),
    rotationResidual: (request) => call('rotationResidual', request),
    permutationError: (request) => call('permutationError', request),
    reorder: (request) => call('reorder', request),
    gaussian: (request) => call('gaussian', request),
  };
}
