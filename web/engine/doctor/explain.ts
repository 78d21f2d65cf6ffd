// Searches for an explanation of a dump: the claim, listed variations of the claim and pairs of variations, then estimates. If the dump cannot
// distinguish several explanations, the one with the fewest differences from the claim is selected.

import type { EncodingConfig } from '../types/api.ts';
import { FORMATS } from './dump.ts';
import { estimatedAngleFactors, estimatedBases, estimatedOffset, estimatedPositions, rounded } from './estimates.ts';
import { type Candidate, type Examination, varied } from './examination.ts';
import { EXPLAINED, INDISTINCT } from './fit.ts';
import { planesKey } from './planes.ts';
import { patternOf } from './position-patterns.ts';
import { baseOf, coordinates, type State, scalingOf } from './state.ts';
import { unscaled, type Variation, variationsOf } from './variations.ts';

export interface Explanations {
  /** All candidates by ascending residual. */
  readonly candidates: readonly Candidate[];
  readonly best?: Candidate;
  /** Other explanations that the dump cannot distinguish from the best. */
  readonly equivalents: readonly Candidate[];
  /** False if no rotation in the listed planes explains the dump, for any angles. */
  readonly isRotation: boolean;
}

/** An explanation in a coarser format than the stored one is accepted if its residual is at most this many times that of free angles. */
const ABOVE_FREE = 3;

export function explain(examination: Examination, claim: State, other: EncodingConfig | undefined): Explanations {
  const { angles } = examination;
  const variations = variationsOf(angles, claim, other);
  const inPlanes = variations.filter(({ group }) => group === 'planes');
  const others = variations.filter(({ group }) => group !== 'planes');
  // Planes with length changes beyond rounding are excluded, because no angles can explain them.
  const starts = [claim, ...inPlanes.flatMap((variation) => varied(claim, variation) ?? [])].map((state, at) => ({
    state,
    variations:
      at === 0 ? [] : [inPlanes.find(({ id, params }) => state.findings[0]?.id === id && state.findings[0].params === params) as Variation],
    free: examination.free(state.planes, true),
    shared: examination.free(state.planes, false),
  }));
  const stored = examination.format;
  const minimum = Math.min(...starts.map(({ free }) => free));
  const finest = examination.coarsen(minimum);
  if (finest) examination.format = finest;
  const possible = starts.filter(({ free }) => free <= EXPLAINED * examination.noise);
  let all: Explanations = { candidates: [], equivalents: [], isRotation: possible.length > 0 };
  // A float32 file may contain the results of a computation in a coarser format, for which estimated numbers are not accepted.
  for (const format of FORMATS.slice(FORMATS.indexOf(examination.format))) {
    examination.format = format;
    const isAccepted = ({ fit, state }: Candidate) => {
      if (!fit.explains || format === stored) return fit.explains;
      const key = planesKey(state.planes);
      const shared = starts.find((one) => planesKey(one.state.planes) === key)?.shared ?? minimum;
      return fit.residual <= ABOVE_FREE * Math.max(shared, minimum);
    };
    const result = attempt(examination, { claim, starts, possible, others, isAccepted, canEstimate: format === (finest ?? stored) });
    if (all.candidates.length === 0 || result.best) all = { ...result, isRotation: possible.length > 0 };
    if (result.best) return all;
  }
  examination.format = finest ?? stored;
  return all;
}

interface Start {
  readonly state: State;
  readonly variations: readonly Variation[];
}

interface Attempt {
  readonly claim: State;
  /** The claim in the claimed planes, and in all others that preserve lengths. */
  readonly starts: readonly Start[];
  readonly possible: readonly Start[];
  /** Variations of groups other than 'planes'. */
  readonly others: readonly Variation[];
  readonly isAccepted: (one: Candidate) => boolean;
  readonly canEstimate: boolean;
}

function attempt(
  examination: Examination,
  { claim, starts, possible, others, isAccepted, canEstimate }: Attempt,
): Omit<Explanations, 'isRotation'> {
  const candidates: Candidate[] = [];
  const examine = (state: State | undefined, path: readonly Variation[]): Candidate | undefined => {
    const one = state && examination.candidate(state, path);
    if (!one) return undefined;
    candidates.push(one);
    for (const gain of gainsOf(one, examination.noise)) {
      const change = gainVariation(claim.gain, one.state.gain, gain);
      const next = varied(one.state, change);
      const refined = next && examination.candidate(next, [...path, change]);
      if (refined) candidates.push(refined);
    }
    return one;
  };
  for (const { state, variations } of starts) examine(state, variations);
  for (const one of others) examine(varied(claim, one), [one]);
  // If a single fault explains the dump to within the noise, pairs of faults are not searched.
  if (!candidates.some((one) => isAccepted(one) && one.fit.score <= 1)) {
    for (const { state, variations } of possible)
      for (const one of others) {
        const next = varied(state, one);
        if (variations.length > 0) examine(next, [...variations, one]);
        else if (next && one.group === 'frequencies')
          for (const two of others) if (two.group === 'positions') examine(varied(next, two), [one, two]);
      }
  }
  if (canEstimate && !candidates.some(isAccepted))
    for (const { state, variations } of possible) estimate(examination, state, variations, examine);

  candidates.sort((a, b) => a.fit.residual - b.fit.residual);
  const accepted = candidates.filter(isAccepted);
  const lowest = Math.min(...accepted.map(({ fit }) => fit.chi2));
  const indistinguishable = accepted.filter(({ fit }) => fit.chi2 <= lowest + INDISTINCT);
  indistinguishable.sort((a, b) => a.state.findings.length - b.state.findings.length || a.order - b.order);
  const [best, ...equivalents] = indistinguishable;
  return { candidates, ...(best ? { best } : {}), equivalents };
}

/** Gains that would explain the dump if the angles of the candidate are correct: 1, the square of the gain, or the best fit. */
function gainsOf({ fit, state }: Candidate, noise: number): number[] {
  const gain = fit.bestGain;
  if (state.planes.rotaryDim === 0 || !(gain > 0.05) || fit.bestScore > EXPLAINED || Math.abs(gain / state.gain - 1) < noise) return [];
  const exactGain = [1, state.gain * state.gain].find((one) => Math.abs(gain / one - 1) < noise && one !== state.gain);
  return [exactGain ?? gain];
}

function gainVariation(claimed: number, present: number, found: number): Variation {
  const id = found === 1 ? 'attention_factor_missing' : found === present * present ? 'attention_factor_twice' : 'wrong_attention_factor';
  return { id, group: 'gain', params: { found, claimed }, apply: () => ({ gain: found }) };
}

/** Adds candidates with estimated numbers. */
function estimate(
  examination: Examination,
  state: State,
  path: readonly Variation[],
  examine: (state: State | undefined, path: readonly Variation[]) => Candidate | undefined,
) {
  const { encoding } = state;
  if (encoding.id !== 'rope' || coordinates(state.positions)[0]?.length !== 1) return;
  const attempt = (one: Variation) => examine(varied(state, one), [...path, one]);
  const { angles } = examination;
  const fits = (make: (value: number) => Variation, from: number) => {
    const trial = (value: number) => {
      const next = varied(state, make(value));
      return next && examination.candidate(next, []);
    };
    const exact = trial(from)?.fit.bestScore ?? 0;
    return (value: number) => (trial(value)?.fit.bestScore ?? Number.POSITIVE_INFINITY) <= Math.max(exact * 1.02, 0.3);
  };
  for (const turns of [1, -1]) {
    const base = (found: number): Variation => ({
      id: 'wrong_base',
      group: 'frequencies',
      params: { found, claimed: baseOf(encoding), ...(turns < 0 ? { direction: -1 } : {}) },
      apply: () => {
        const plain = { ...(scalingOf(encoding) === 'linear' ? encoding : unscaled(encoding)), base: found };
        return { encoding: plain, gain: angles.gainOf(plain), angleFactor: turns };
      },
    });
    for (const found of estimatedBases(examination, { ...state, angleFactor: turns })) attempt(base(rounded(found, fits(base, found))));
  }
  const scale = (factor: number): Variation => ({
    id: scalingOf(encoding) === 'none' ? 'scaling_unclaimed' : 'wrong_scaling_factor',
    group: 'frequencies',
    params: scalingOf(encoding) === 'none' ? { factor } : { found: factor, claimed: 1 },
    apply: () => ({ angleFactor: state.angleFactor / factor }),
  });
  for (const found of estimatedAngleFactors(examination, state)) attempt(scale(rounded(1 / found, fits(scale, 1 / found))));
  const claimed = state.positions as readonly number[];
  const offset = estimatedOffset(examination, state);
  if (offset !== 0)
    attempt(
      patternOf(
        state.tokens,
        claimed,
        claimed.map((one) => one + offset),
      ) as Variation,
    );
  const positions = estimatedPositions(examination, state);
  const pattern = positions && patternOf(state.tokens, claimed, positions);
  if (pattern) attempt(pattern);
}
