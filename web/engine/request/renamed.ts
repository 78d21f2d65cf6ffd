// Names of methods and properties in version 0.1. Using an old name throws an error that states the current name. Old names are absent from
// the type declarations.
import { PhasorError } from '../errors.ts';

type NewNames = { readonly [oldName: string]: string };
interface OldNames {
  readonly methods?: NewNames;
  readonly properties?: NewNames;
}

const RENAMED_METHODS: NewNames = {
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

const ANALYSIS_FUNCTIONS: NewNames = {
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

const CACHE_METHODS: NewNames = {
  decode: 'cache.decode(request)',
  trimCache: 'cache.truncate(length)',
  forkCache: 'cache.fork()',
};

const describeNames = (names: NewNames, sentence: (name: string) => string) =>
  Object.fromEntries(Object.entries(names).map(([oldName, newName]) => [oldName, sentence(newName)]));
const describeRenames = (names: NewNames) => describeNames(names, (newName) => `was renamed to ${newName}`);

// Each old name, with the text that follows it in the error message. These are functions, so that bundlers can remove the unused ones.

export const listOldEngineNames = (): OldNames => ({
  methods: {
    ...describeRenames(RENAMED_METHODS),
    ...describeNames(ANALYSIS_FUNCTIONS, (newName) => `is now ${newName}(engine, request) in phasor/analysis`),
    ...describeNames(CACHE_METHODS, (newName) => `is now ${newName}`),
  },
});
export const listOldWorkerNames = (): OldNames => ({ ...listOldEngineNames(), properties: describeRenames({ refusal: 'fallbackReason' }) });
export const listOldTrainerNames = (): OldNames => ({
  methods: describeRenames({ save: 'saveCheckpoint', load: 'loadCheckpoint', attentionMaps: 'attentionWeights' }),
  properties: describeRenames({ stepsDone: 'globalStep', spec: 'config' }),
});
export const listOldFigureNames = (): OldNames => ({ methods: describeRenames({ numbers: 'tensors', code: 'toCode' }) });

/** Adds the old names of methods and properties to an object. Using one of them throws an error. */
export function withOldNames<T extends object>(object: T, { methods = {}, properties = {} }: OldNames): T {
  const createThrower = (oldName: string, sentence: string) => () => {
    throw new PhasorError('unknown_name', `${oldName} ${sentence}`);
  };
  for (const [name, sentence] of Object.entries(methods)) Object.defineProperty(object, name, { value: createThrower(name, sentence) });
  for (const [name, sentence] of Object.entries(properties)) Object.defineProperty(object, name, { get: createThrower(name, sentence) });
  return object;
}
