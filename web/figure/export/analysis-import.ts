/** A JavaScript program with its import of phasor/analysis, if it calls that. */
export const withAnalysis = (program: string): string =>
  program.includes('analysis.')
    ? program.replace("from 'phasor';\n", "from 'phasor';\nimport * as analysis from 'phasor/analysis';\n")
    : program;
