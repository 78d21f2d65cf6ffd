// The encoding of a figure as the beginning of a program.
import type { EncodingSource } from '../../encodings/code/source.ts';
import type { EncodingInfo, ParamValue } from '../../engine/index.ts';
import type { EncodingSpec } from '../fields.ts';
import { paramOf } from '../parameters.ts';

const files = import.meta.glob<{ source: EncodingSource }>(['../../encodings/code/*.ts', '!../../encodings/code/source.ts'], {
  eager: true,
});

const literal = (value: ParamValue): string => (typeof value === 'object' ? JSON.stringify(Array.from(value.data)) : JSON.stringify(value));

export interface EncodingCode {
  /** Imports and the functions of the encoding, see encodings/code/source.ts. */
  readonly numpy: string;
  readonly pytorch: string;
  /** As a JavaScript literal: { id: 'rope', base: 500000 }. */
  readonly choice: string;
}

export function encodingCode({ id, ...params }: EncodingSpec, encodings: readonly EncodingInfo[]): EncodingCode {
  const source = files[`../../encodings/code/${id}.ts`]?.source;
  const info = encodings.find((one) => one.id === id);
  if (!source || !info) throw new Error(`there is no source of ${id}`);
  const value = paramOf(params, info);
  const { numpy, pytorch } = source((name) => value(name) as string | number | boolean);
  const fields = Object.entries(params).map(([name, given]) => `, ${name}: ${literal(given)}`);
  return {
    numpy: `import numpy as np\n\n\n${numpy}`,
    pytorch: `import torch\n\n\n${pytorch}`,
    choice: fields.length > 0 ? `{ id: '${id}'${fields.join('')} }` : `'${id}'`,
  };
}
