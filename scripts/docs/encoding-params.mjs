// Generates web/engine/types/encoding-params.ts from the registry: the parameters of each encoding as TypeScript types.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';

/** @import { EncodingInfo, ParamInfo } from '../../web/engine/index.ts' */

const FILE = 'web/engine/types/encoding-params.ts';
const MOST = 2 ** 31 - 1;
const WIDTH = 140;

/** @param {ParamInfo} param */
function typeOf({ kind, choices }) {
  if (kind === 'choice') return choices.map((word) => `'${word}'`).join(' | ');
  return kind === 'boolean' ? 'boolean' : kind === 'tensor' ? 'Numbers' : 'number';
}

/** Describes the default and range of a parameter, or its shape. @param {ParamInfo} param */
function valuesOf({ kind, default: fallback, min, max, unit, shape }) {
  if (kind === 'tensor') return `Shape: ${shape}.`;
  if (kind === 'choice' || kind === 'boolean') return `Default: ${fallback}.`;
  return `Default: ${fallback} (${max >= MOST ? `at least ${min}` : `${min} to ${max}`}${unit ? ` ${unit}` : ''}).`;
}

/** @param {ParamInfo} param */
function member(param) {
  const types = `${typeOf(param)} | undefined`;
  const line = `    readonly ${param.name}?: ${types};`;
  // Lines are broken as Biome breaks them.
  const written = line.length <= WIDTH ? line : `    readonly ${param.name}?:\n      | ${types.replaceAll(' | ', '\n      | ')};`;
  return `    /** ${param.summary}. ${valuesOf(param)} */\n${written}\n`;
}

/** The text of the file. @param {readonly EncodingInfo[]} encodings of an engine */
export function encodingParamsTypes(encodings) {
  const sorted = [...encodings].sort((a, b) => (a.id < b.id ? -1 : 1));
  const members = sorted.map(
    ({ id, injection, params }) =>
      `  /** ${injection === 'none' ? 'Does not enter attention' : `Injection point: ${injection}`}. */\n  readonly ${id}: {\n    /** This encoding. */\n    readonly id: '${id}';\n${params.map(member).join('')}  };\n`,
  );
  return `// Generated from the registry by \`npm run docs\`: the parameters of each encoding, as declared in C++.
import type { TensorInput } from './tensors.ts';

/** A tensor of one axis may be an array of numbers. */
type Numbers = TensorInput | ArrayLike<number>;

/** Each encoding with its parameters, by its id; absent ones have their defaults. */
export interface EncodingTypes {
${members.join('')}}
`;
}

/** @param {readonly EncodingInfo[]} encodings */
export const writeEncodingParams = (encodings) => writeFileSync(join(root, FILE), encodingParamsTypes(encodings));
