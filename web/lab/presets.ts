// Comparisons that settle a convention: each is two encodings, what to look at, and what it shows.
import type { Params } from '../engine/index.ts';
import type { LabState } from './state.ts';

export interface Preset {
  readonly id: string;
  readonly name: string;
  /** What the comparison settles, once it is seen. */
  readonly lesson: string;
  readonly encoding: string;
  readonly params?: Params;
  /** The second encoding, as the figure's field says it. */
  readonly other: string;
  readonly show: 'weights' | 'table' | 'similarity' | 'bias';
  readonly mask?: LabState['mask'];
  readonly width?: number;
  readonly heads?: number;
}

export const PRESETS: readonly Preset[] = [
  {
    id: 'rope_layout',
    name: 'RoPE: neighbours or halves',
    lesson:
      'Interleaved rotates neighbouring channels, half split channel t with channel t + half. Mixed up, they give wrong weights without an error; only a permutation of the channels of q and k together makes them equal.',
    encoding: 'rope',
    params: { layout: 'interleaved' },
    other: 'rope layout=half_split',
    show: 'weights',
  },
  {
    id: 'sinusoidal_layout',
    name: 'Sinusoids: interleaved or concatenated',
    lesson: 'The same sines and cosines in another order of channels: the tables differ, the similarities of positions do not.',
    encoding: 'sinusoidal',
    params: { layout: 'interleaved' },
    other: 'sinusoidal layout=concatenated',
    show: 'similarity',
  },
  {
    id: 'sinusoidal_frequencies',
    name: 'Sinusoids: paper or tensor2tensor',
    lesson:
      'The code of the paper’s authors ends at the longest wavelength itself, the paper’s formula one step before it. The difference grows along the channels.',
    encoding: 'sinusoidal',
    params: { frequencies: 'paper' },
    other: 'sinusoidal frequencies=tensor2tensor',
    show: 'table',
  },
  {
    id: 'alibi_form',
    name: 'ALiBi: symmetric or causal, under a causal mask',
    lesson: 'Under a causal mask nothing lies on the right, so the two forms give the same weights.',
    encoding: 'alibi',
    params: { form: 'symmetric' },
    other: 'alibi form=causal',
    show: 'weights',
    mask: 'causal',
  },
  {
    id: 'alibi_both',
    name: 'ALiBi: symmetric or causal, without a mask',
    lesson: 'Without a mask the two forms differ: the causal one says nothing about keys on the right.',
    encoding: 'alibi',
    params: { form: 'symmetric' },
    other: 'alibi form=causal',
    show: 'bias',
    mask: 'none',
  },
  {
    id: 'sign_of_distance',
    name: 'The sign of a distance',
    lesson: 'Key minus query, or query minus key: with the same table, left and right are exchanged.',
    encoding: 'shaw',
    params: { direction: 'right_positive' },
    other: 'shaw direction=left_positive',
    show: 'weights',
  },
  {
    id: 'odd_width',
    name: 'The last channel of an odd width',
    lesson: 'Implementations differ in the channel that has no partner: some leave it 0, some give it a sine.',
    encoding: 'sinusoidal',
    params: { odd_width: 'formula' },
    other: 'sinusoidal odd_width=zero_padded',
    show: 'table',
    width: 9,
    heads: 1,
  },
  {
    id: 'rotate_or_bias',
    name: 'RoPE or ALiBi',
    lesson:
      'One rotates queries and keys, the other subtracts a penalty: both depend only on the distance, and still give different weights.',
    encoding: 'rope',
    other: 'alibi',
    show: 'weights',
  },
];

/** The state that shows a preset. */
export const presetState = (
  { encoding, params = {}, other, show, mask = 'none', width = 64, heads = 4 }: Preset,
  { figures }: LabState,
): Partial<LabState> => ({
  question: 'compare',
  view: 'compare',
  encoding,
  params,
  mask,
  width,
  heads,
  figures: { ...figures, 'compare.other': other, 'compare.show': show },
});

/** The preset that a state shows. */
export const presetOf = (state: LabState): Preset | undefined =>
  PRESETS.find((preset) => {
    const wanted = presetState(preset, state);
    return Object.entries(wanted).every(([name, value]) => JSON.stringify(state[name as keyof LabState]) === JSON.stringify(value));
  });
