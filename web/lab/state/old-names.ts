// Names in links of the versions 1 and 2, mapped to present names.
import { RENAMED_FIELDS, RENAMED_KINDS, renamed } from '../../figure/contract/renamed.ts';

/** 'length.measure:loss' becomes 'extrapolation.metric:loss'. */
const figureEntry = (entry: string): string =>
  entry.replace(/^([a-z]+)\.(\w+)(?=:)/, (_, kind: string, field: string) => {
    return `${renamed(RENAMED_KINDS, kind) ?? kind}.${renamed(RENAMED_FIELDS, field) ?? field}`;
  });

/** The parts of a link of an earlier version, with present names. */
export function withoutOldNames(parts: URLSearchParams): URLSearchParams {
  const entries = Array.from(parts, ([name, value]): [string, string] => {
    if (name === 'view') return [name, renamed(RENAMED_KINDS, value) ?? value];
    if (name === 'figures') return [name, value.split(',').map(figureEntry).join(',')];
    if (name === 'params') return [name, value.replace(/(^|,)rotary_width:/, '$1rotary_dim:')];
    return [renamed(RENAMED_FIELDS, name) ?? name, value];
  });
  return new URLSearchParams(entries);
}
