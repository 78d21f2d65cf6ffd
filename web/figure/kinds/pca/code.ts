import type { EncodingInfo } from '../../../engine/index.ts';
import type { LearnedRows } from '../../compute/learned-rows.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { withAnalysis } from '../../export/analysis-import.ts';
import { pythonProgram } from '../../export/python-program.ts';
import { tableCode } from '../../export/table-code.ts';
import type { Spec } from './index.ts';

export function code(spec: Spec, encodings: readonly EncodingInfo[], results?: { readonly rows: LearnedRows }): SourceCode {
  const { values, lines, phasor } = tableCode(spec, encodings, results);
  return {
    ...pythonProgram({
      imports: ['from analysis import principal_components'],
      values,
      lines: [...lines, 'coordinates, explained = principal_components(table, 2)'],
    }),
    phasor:
      withAnalysis(`${phasor}const { coordinates, explainedVarianceRatio: explained } = analysis.principalComponents(phasor, { table, components: 2 });
`),
  };
}
