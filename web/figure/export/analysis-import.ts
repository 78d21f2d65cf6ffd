/** Imports phasor/analysis in a JavaScript program that uses it. */
export const withAnalysis = (program: string): string =>
  program.includes('analysis.')
    ? program.replace("from 'phasor';\n", "from 'phasor';\nimport * as analysis from 'phasor/analysis';\n")
    : program;
