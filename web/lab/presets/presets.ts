// Converts a preset to a Lab state, and finds the preset that matches a Lab state.
import type { Params } from '../../engine/index.ts';
import type { LabState } from '../state/state.ts';
import { PRESETS } from './preset-list.ts';

export interface Preset {
  readonly id: string;
  /** The heading under which the preset is listed. */
  readonly group: string;
  readonly name: string;
  /** The headings of the two panels. */
  readonly a?: string;
  readonly b?: string;
  /** An explanation of the result, in two sentences. */
  readonly result: string;
  /** The expected result, which the figure verifies. */
  readonly expected: 'same' | 'different';
  readonly encoding: string;
  readonly params?: Params;
  /** The fields of the figure `compare`, as strings. */
  readonly figure?: { readonly [field: string]: string };
  /** The kind of figure; default: 'compare'. */
  readonly view?: 'combine';
  readonly mask?: LabState['mask'];
  readonly dim?: number;
  readonly heads?: number;
  readonly head?: number;
}

export { PRESETS };

/** Returns the fields that the user has set in figures other than `compare`. */
const listOtherFigureFields = ({ figures }: LabState): [string, string][] =>
  Object.entries(figures).filter(([name]) => !name.startsWith('compare.'));

/** Returns the Lab state for a preset. Discards the previous comparison's settings. */
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

/** Serializes a value with sorted keys, because equal states may differ in the order of their fields. */
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
