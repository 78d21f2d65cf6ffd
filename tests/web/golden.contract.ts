// Compares the public functions of the package with results of independent reference implementations. tests/cpp/golden runs the same
// files against the C++ library. Independent of a test runner.

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
