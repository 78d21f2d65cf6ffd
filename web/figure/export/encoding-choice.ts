// Formats an encoding as a JavaScript literal, such as { id: 'rope', base: 500000 }.
import type { EncodingSpec } from '../contract/fields.ts';
import { shortestDecimal } from './csv.ts';
import { asTensor } from './long-tensor.ts';

function formatJsLiteral(value: unknown): string {
  const tensor = asTensor(value);
  if (!tensor) return JSON.stringify(value);
  const dataLiteral = `[${Array.from(tensor.data, shortestDecimal).join(', ')}]`;
  return tensor.shape.length === 1 ? dataLiteral : `{ shape: [${tensor.shape.join(', ')}], data: ${dataLiteral} }`;
}

export function formatJsEncoding({ id, ...params }: EncodingSpec): string {
  const fields = Object.entries(params)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `, ${name}: ${formatJsLiteral(value)}`);
  return fields.length > 0 ? `{ id: '${id}'${fields.join('')} }` : `'${id}'`;
}
