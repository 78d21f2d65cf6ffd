// Generates the Python program for a figure, which calls functions from public/reference with the figure's parameters.
import type { Tensor } from '../../engine/index.ts';
import type { ProgramFiles, SourceCode } from '../contract/kind.ts';
import { formatNestedLiteral } from './encoding-call.ts';
import { isLongTensor } from './long-tensor.ts';

/** Python code for the value of a variable: an array, or an encoding (encoding-call.ts). */
export interface PythonValue {
  readonly expression: string;
  readonly importLine?: string;
  readonly data?: ProgramFiles;
}

/** Writes a short array as a literal. A long or missing array is read from a file instead. */
export function pythonArray(name: string, tensor: Tensor | undefined): PythonValue {
  if (tensor && !isLongTensor(tensor)) return { expression: `np.array(${formatNestedLiteral(tensor).replaceAll('nan', 'np.nan')})` };
  const file = `${name}.npy`;
  return { expression: `np.load('${file}').astype(float)`, ...(tensor ? { data: { [file]: tensor } } : {}) };
}

interface ProgramParts {
  /** Import statements, in addition to those in `values`. */
  readonly imports?: readonly string[];
  /** Data files, in addition to those in `values`. */
  readonly data?: ProgramFiles;
  /** Variables that the program assigns, in this order, before `lines`. */
  readonly values?: { readonly [variable: string]: PythonValue };
  readonly lines: readonly string[];
}

export function pythonProgram({ imports = [], values = {}, data = {}, lines }: ProgramParts): Pick<SourceCode, 'python' | 'data'> {
  const assignments = Object.entries(values).map(([variable, { expression }]) => `${variable} = ${expression}`);
  const statements = [...assignments, ...lines];
  const importLines = [...new Set([...Object.values(values).flatMap((value) => value.importLine ?? []), ...imports])].sort();
  const referenceImports = importLines.filter((line) => line.startsWith('from '));
  const blocks = [
    importLines.filter((line) => !referenceImports.includes(line)),
    /\bnp\./.test(statements.join()) ? ['import numpy as np'] : [],
    referenceImports,
    statements,
  ];
  return {
    python: `${blocks
      .filter((block) => block.length > 0)
      .map((block) => block.join('\n'))
      .join('\n\n')}\n`,
    data: Object.assign({}, data, ...Object.values(values).map((value) => value.data)),
  };
}
