// The golden cases through the package's own functions: their results are compared with independent reference implementations. The
// C++ program (tests/cpp/golden) runs the same files against the library; the runners here read every param as those do.
// Independent of a test runner, like engine.contract.ts.

export { cppOnlyMethods as onlyInCpp, createGoldenCases as goldenCases } from '../../web/self-test/cases.ts';

export const families = [
  'alibi',
  'attention',
  'attention_medium',
  'attention_options',
  'bias_other',
  'content_position',
  'fourier',
  'frontier_dape',
  'frontier_encodings',
  'grad',
  'layer_pattern',
  'pos2d',
  'remap',
  'rope',
  'rope_scaling',
  'shaw',
  'simple',
  'sinusoidal',
  't5',
] as const;
