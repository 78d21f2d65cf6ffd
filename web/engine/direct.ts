import type { RawModule } from '#glue';
import { PhasorError } from './errors.ts';
import type { Phasor, Variant } from './types.ts';

/** The engine on the calling thread: shapes, typed arrays and errors; never the heap. */
export function directPhasor(raw: RawModule, variant: Variant): Phasor {
  // Answers are {…} or {error}; the core validates every argument, so nothing is checked twice here.
  const call = (name: Exclude<keyof RawModule, 'version' | 'encodings'>, ...requests: unknown[]) => {
    requests.forEach((request, index) => {
      if (typeof request !== 'object' || request === null) {
        throw new PhasorError('invalid_argument', `${name}: argument ${index + 1} is ${String(request)}; an object is needed`);
      }
    });
    let answer: ReturnType<RawModule[typeof name]>;
    try {
      answer = raw[name](...requests);
    } catch (thrown) {
      throw PhasorError.from(thrown);
    }
    if ('error' in answer) throw new PhasorError(answer.error.code, answer.error.message);
    return answer as never;
  };
  return {
    variant,
    version: raw.version(),
    encodings: raw.encodings(),
    table: (request) => call('table', request),
    angles: (request) => call('angles', request),
    bias: (request) => call('bias', request),
    rotate: (x, request) => call('rotate', x, request),
    rotationMatrix: (request) => call('rotationMatrix', request),
    ropeFrequencies: (request) => call('ropeFrequencies', request),
    ropeModel: (config, request = {}) => call('ropeModel', config, request),
    combine: (request) => call('combine', request),
    positionIds: (request) => call('positionIds', request),
    attention: (request) => call('attention', request),
    layer: (request) => call('layer', request),
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
    gaussian: (request) => call('gaussian', request),
  };
}
