import type { EncodingInfo } from '../../../engine/index.ts';
import type { LearnedRows } from '../../compute/learned-rows.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { withAnalysis } from '../../export/analysis-import.ts';
import { pythonProgram } from '../../export/python-program.ts';
import { tableCode } from '../../export/table-code.ts';
import type { Spec } from './index.ts';

export function code(spec: Spec, encodings: readonly EncodingInfo[], results?: { readonly rows: LearnedRows }): SourceCode {
  const { values, lines, phasor } = tableCode(spec, encodings, results);
  const { metric } = spec;
  return {
    ...pythonProgram({
      imports: ['from analysis import row_similarity'],
      values,
      lines: [...lines, `similarity = row_similarity(table, '${metric}')`],
    }),
    phasor: withAnalysis(`${phasor}const similarity = analysis.similarity(phasor, { table, metric: '${metric}' });
`),
  };
}
