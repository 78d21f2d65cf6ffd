// Methods and properties of version 0.1, which throw an error with the current name. They are not in the types.
import { PhasorError } from '../errors.ts';

type Names = { readonly [before: string]: string };
interface OldNames {
  readonly methods?: Names;
  readonly properties?: Names;
}

const RENAMED: Names = {
  table: 'positionTable',
  angles: 'rotaryAngles',
  bias: 'attentionBias',
  rotate: 'applyRotary',
  distances: 'ropeDistances',
  ropeModel: 'ropeFromConfig',
  modelEncoding: 'encodingFromConfig',
  modelLayers: 'layersFromConfig',
  attentionGradient: 'attentionBackward',
  layer: 'selfAttention',
  layerGradient: 'selfAttentionBackward',
  keep: 'createTensor',
  prepare: 'createEncoding',
  openCache: 'createCache',
  gaussian: 'randomNormal',
};

/** Methods that are functions of phasor/analysis. */
const MOVED: Names = {
  similarity: 'similarity',
  distanceProfile: 'distanceProfile',
  tableStatistics: 'tableStatistics',
  spectrum: 'spectrum',
  principalComponents: 'principalComponents',
  linearProbe: 'linearProbe',
  shiftMatrix: 'shiftMatrix',
  shiftResidual: 'shiftError',
  waves: 'sinusoids',
  rotationMatrix: 'rotationMatrix',
  rotationResidual: 'relativePositionError',
  permutationError: 'permutationError',
  reorder: 'permutationTest',
  biasSteps: 'explainBias',
  scoreChain: 'explainSoftmax',
};

/** Methods that have moved to caches. */
const OF_CACHES: Names = {
  decode: 'cache.decode(request)',
  trimCache: 'cache.truncate(length)',
  forkCache: 'cache.fork()',
};

const mapped = (names: Names, sentence: (name: string) => string) =>
  Object.fromEntries(Object.entries(names).map(([before, now]) => [before, sentence(now)]));
const renamed = (names: Names) => mapped(names, (now) => `was renamed to ${now}`);

// Each old name with the rest of its error message. These are functions, so that bundlers remove unused ones.

export const engineNames = (): OldNames => ({
  methods: {
    ...renamed(RENAMED),
    ...mapped(MOVED, (now) => `is now ${now}(engine, request) of phasor/analysis`),
    ...mapped(OF_CACHES, (now) => `is now ${now}`),
  },
});
export const workerNames = (): OldNames => ({ ...engineNames(), properties: renamed({ refusal: 'fallbackReason' }) });
export const trainerNames = (): OldNames => ({
  methods: renamed({ save: 'saveCheckpoint', load: 'loadCheckpoint', attentionMaps: 'attentionWeights' }),
  properties: renamed({ stepsDone: 'globalStep', spec: 'config' }),
});
/** Old names of <phasor-figure>. */
export const figureNames = (): OldNames => ({ methods: renamed({ numbers: 'tensors', code: 'toCode' }) });

/** Adds methods and properties with the old names to an object; each throws an error. */
export function withOldNames<T extends object>(object: T, { methods = {}, properties = {} }: OldNames): T {
  const rejecting = (before: string, sentence: string) => () => {
    throw new PhasorError('unknown_name', `${before} ${sentence}`);
  };
  for (const [name, sentence] of Object.entries(methods)) Object.defineProperty(object, name, { value: rejecting(name, sentence) });
  for (const [name, sentence] of Object.entries(properties)) Object.defineProperty(object, name, { get: rejecting(name, sentence) });
  return object;
}
