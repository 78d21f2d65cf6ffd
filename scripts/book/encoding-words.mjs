// Words about an encoding that its page in the book and docs/encodings.md have in common.
import { grouped } from './plain-text.mjs';

/** @import { Injection, ParamInfo } from '../../web/engine/index.ts' */

/**
 * Where each place of attention is, as a heading.
 * @type {Record<Injection, string>}
 */
export const places = {
  none: 'Nowhere',
  input: 'Added to the embeddings',
  query_key: 'In queries and keys',
  score: 'Added to the scores',
  score_content: 'Added to the scores, depending on queries and keys',
  key_value: 'Added to keys and values',
};

/** @param {unknown} value */
const number = (value) => grouped(String(value));

/** The values of a parameter and what it does, as Markdown. @param {ParamInfo} param */
export function parameterText({ kind, default: fallback, min, max, choices, unit, shape, summary, appliesWhen }) {
  const value = {
    choice: () => choices.map((word) => (word === fallback ? `**${word}**` : word)).join(', '),
    boolean: () => `${fallback}`,
    tensor: () => `array ${shape}`,
    integer: () => `${number(fallback)} (${number(min)} to ${number(max)}${unit ? ` ${unit}` : ''})`,
    real: () => `${number(fallback)} (${number(min)} to ${number(max)}${unit ? ` ${unit}` : ''})`,
  };
  const only = appliesWhen ? ` Only with \`${appliesWhen.param}\` ${appliesWhen.values.join(', ')}.` : '';
  return `${value[kind]()}. ${summary}.${only}`;
}
