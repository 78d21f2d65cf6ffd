// The encoding of a figure as the beginning of a program.

import { entryAt } from '../../charts/entry-at.ts';
import { drawingFunctions } from '../../encodings/code/parts/drawn.ts';
import { USUAL_SCALE } from '../../encodings/code/parts/program.ts';
import type { EncodingSource } from '../../encodings/code/source.ts';
import type { EncodingInfo, Tensor } from '../../engine/index.ts';
import type { EncodingSpec } from '../contract/fields.ts';
import { paramOf } from '../contract/parameters.ts';
import { shortest } from './csv.ts';
import { isLong, tensorOf } from './long-tensor.ts';

const files = import.meta.glob<{ source: EncodingSource }>(['../../encodings/code/*.ts', '!../../encodings/code/source.ts'], {
  eager: true,
});

export interface EncodingCode {
  /** Imports and the functions of the encoding, see encodings/code/source.ts. The text that follows begins after two empty lines. */
  readonly numpy: string;
  readonly pytorch: string;
  /** As a JavaScript literal: { id: 'rope', base: 500000 }. */
  readonly choice: string;
  /** The factor on q.k in attention with this encoding: a Python expression in `width`, the size of a head. */
  readonly scale: string;
  /** The names of the functions that it defines. */
  readonly functions: readonly string[];
  /** What attention is given for each token besides. */
  readonly tokens: EncodingInfo['tokens'];
}

/** Numbers in brackets, one pair an axis. */
function nested({ shape, data }: Tensor): string {
  const [, ...inner] = shape;
  if (shape.length < 2) return `[${Array.from(data, shortest).join(', ')}]`;
  const size = inner.reduce((product, side) => product * side, 1);
  const rows = Array.from({ length: entryAt(shape, 0) }, (_, row) =>
    nested({ shape: inner, data: data.subarray(row * size, (row + 1) * size) }),
  );
  return `[${rows.join(', ')}]`;
}

function literal(value: unknown): string {
  const tensor = tensorOf(value);
  if (!tensor) return JSON.stringify(value);
  const data = `[${Array.from(tensor.data, shortest).join(', ')}]`;
  return tensor.shape.length === 1 ? data : `{ shape: [${tensor.shape.join(', ')}], data: ${data} }`;
}

/** The choice of an encoding as a JavaScript literal. */
function choiceOf({ id, ...params }: EncodingSpec): string {
  const fields = Object.entries(params)
    .filter(([, given]) => given !== undefined)
    .map(([name, given]) => `, ${name}: ${literal(given)}`);
  return fields.length > 0 ? `{ id: '${id}'${fields.join('')} }` : `'${id}'`;
}

/** Imports, what numbers are drawn with, and the functions. */
function whole(functions: string, language: 'numpy' | 'pytorch'): string {
  const parts = [drawingFunctions(functions, language), functions].filter(Boolean).join('\n\n');
  const imports = [
    /\bmath\./.test(parts) ? 'import math\n\n' : '',
    language === 'numpy' || /\bnp\./.test(parts) ? 'import numpy as np\n' : '',
    language === 'pytorch' ? 'import torch\n' : '',
  ];
  return `${imports.join('')}\n\n${parts}\n`;
}

export function encodingCode(spec: EncodingSpec, encodings: readonly EncodingInfo[]): EncodingCode {
  const { id, ...params } = spec;
  const source = files[`../../encodings/code/${id}.ts`]?.source;
  const info = encodings.find((one) => one.id === id);
  if (!source || !info) throw new Error(`there is no source of ${id}`);
  const value = paramOf(params, info);
  const { numpy, pytorch, scale } = source(
    (name) => value(name) as string | number | boolean,
    (name) => {
      const tensor = tensorOf(params[name]);
      if (!tensor) return undefined;
      return isLong(tensor) ? `np.load('${name}.npy')` : `np.array(${nested(tensor)})`;
    },
  );
  return {
    numpy: whole(numpy, 'numpy'),
    pytorch: whole(pytorch, 'pytorch'),
    choice: choiceOf(spec),
    scale: scale ?? USUAL_SCALE,
    tokens: info.tokens,
    functions: Array.from(numpy.matchAll(/^def (\w+)/gm), ([, name]) => name as string),
  };
}
