// Headings of groups of encodings and descriptions of parameters, for the reference in the book and for docs/encodings.md.
import { grouped } from './plain-text.mjs';

/** @import { ParamInfo } from '../../web/engine/index.ts' */

/** @param {string} name */
export const headingOf = (name) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** @param {unknown} value */
const number = (value) => grouped(String(value));

/** The values and the summary of a parameter, as Markdown. @param {ParamInfo} param */
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
