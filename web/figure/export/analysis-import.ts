/** Adds the import of phasor/analysis to a JavaScript program that uses the module. */
export const withAnalysis = (program: string): string =>
  program.includes('analysis.')
    ? program.replace("from 'phasor';\n", "from 'phasor';\nimport * as analysis from 'phasor/analysis';\n")
    : program;
