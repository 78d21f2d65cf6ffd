// Comparisons of conventions: converts a preset to a page state, and finds the preset of a page state.
import type { Params } from '../../engine/index.ts';
import type { LabState } from '../state/state.ts';
import { PRESETS } from './preset-list.ts';

export interface Preset {
  readonly id: string;
  /** The heading of the group in which the preset is listed. */
  readonly group: string;
  readonly name: string;
  /** The headings of the two panels. */
  readonly a?: string;
  readonly b?: string;
  /** The result of the comparison, in two sentences. */
  readonly result: string;
  /** The expected result, which is verified by the figure. */
  readonly expected: 'same' | 'different';
  readonly encoding: string;
  readonly params?: Params;
  /** The fields of the figure `compare`, as strings. */
  readonly figure?: { readonly [field: string]: string };
  /** A view other than the comparison of two encodings. */
  readonly view?: 'combine';
  readonly mask?: LabState['mask'];
  readonly dim?: number;
  readonly heads?: number;
  readonly head?: number;
}

export { PRESETS };

/** Returns the fields that the reader has set in figures other than the comparison. */
const listOtherFigureFields = ({ figures }: LabState): [string, string][] =>
  Object.entries(figures).filter(([name]) => !name.startsWith('compare.'));

/** Returns the state that shows a preset. The settings of the previous comparison are discarded. */
export function stateFromPreset(preset: Preset, state: LabState): Partial<LabState> {
  const { encoding, params = {}, figure = {}, view = 'compare', mask = 'none', dim = 64, heads = 4, head = 0 } = preset;
  const compareFields = Object.entries(figure).map(([name, value]) => [`compare.${name}`, value] as const);
  return {
    question: 'compare',
    view,
    encoding,
    params,
    mask,
    dim,
    heads,
    head,
    positionOffset: 0,
    projections: 'identity',
    figures: Object.fromEntries([...listOtherFigureFields(state), ...compareFields]),
    tour: 0,
  };
}

/** Serializes a value with sorted keys, because fields may be set in any order. */
const toSortedJson = (value: unknown): string =>
  JSON.stringify(typeof value === 'object' && value !== null ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : value);

export const findMatchingPreset = (state: LabState): Preset | undefined =>
  state.question !== 'compare'
    ? undefined
    : PRESETS.find((preset) =>
        Object.entries(stateFromPreset(preset, state)).every(
          ([name, value]) => toSortedJson(state[name as keyof LabState]) === toSortedJson(value),
        ),
      );
