// Searches for a rotation that explains a dump. Tries the claimed encoding, listed variations of it and pairs of variations, then estimates. Among
// explanations that fit equally well, selects the one with the fewest differences from the claimed encoding.

import type { EncodingConfig } from '../types/api.ts';
import { FORMATS } from './dump.ts';
import { estimateAngleFactors, estimateBases, estimateOffset, estimatePositions, roundIfAsGood } from './estimates.ts';
import { applyVariation, type Candidate, type Examination } from './examination.ts';
import { MAX_CHI2_DIFFERENCE, MAX_RESIDUAL } from './fit.ts';
import { planesKey } from './planes.ts';
import { findPattern } from './position-patterns.ts';
import { baseOf, coordinatesOf, removeScaling, type State, scalingOf } from './state.ts';
import { listVariations, type Variation } from './variations.ts';

export interface Explanations {
  readonly candidates: readonly Candidate[];
  readonly best?: Candidate;
  /** Other explanations that the dump cannot distinguish from the best one. */
  readonly equivalents: readonly Candidate[];
  /** False if no rotation of the tried channel pairs explains the dump, whatever the angles. */
  readonly isRotation: boolean;
}

/** For explanations in a less precise format than the dump's: maximum ratio of the residual to the minimum residual over all angles. */
const MAX_FREE_RATIO = 3;

export function explain(examination: Examination, claim: State, other: EncodingConfig | undefined): Explanations {
  const { angles } = examination;
  const variations = listVariations(angles, claim, other);
  const planeVariations = variations.filter(({ group }) => group === 'planes');
  const otherVariations = variations.filter(({ group }) => group !== 'planes');
  // Rotations preserve lengths, so the minimum residual over all angles is large if lengths change by more than rounding errors.
  const starts = [claim, ...planeVariations.flatMap((variation) => applyVariation(claim, variation) ?? [])].map((state, at) => ({
    state,
    variations:
      at === 0
        ? []
        : [planeVariations.find(({ id, params }) => state.findings[0]?.id === id && state.findings[0].params === params) as Variation],
    freeResidual: examination.minResidual(state.planes, true),
    sharedResidual: examination.minResidual(state.planes, false),
  }));
  const dumpFormat = examination.format;
  const lowestResidual = Math.min(...starts.map(({ freeResidual }) => freeResidual));
  const finestFormat = examination.coarsen(lowestResidual);
  if (finestFormat) examination.format = finestFormat;
  const possibleStarts = starts.filter(({ freeResidual }) => freeResidual <= MAX_RESIDUAL * examination.noise);
  let explanations: Explanations = { candidates: [], equivalents: [], isRotation: possibleStarts.length > 0 };
  // Float32 files may contain values computed with less precision. Estimates are made only in the most precise format that fits.
  for (const format of FORMATS.slice(FORMATS.indexOf(examination.format))) {
    examination.format = format;
    const isAccepted = ({ fit, state }: Candidate) => {
      if (!fit.isExplanation || format === dumpFormat) return fit.isExplanation;
      const key = planesKey(state.planes);
      const sharedResidual = starts.find((start) => planesKey(start.state.planes) === key)?.sharedResidual ?? lowestResidual;
      return fit.residual <= MAX_FREE_RATIO * Math.max(sharedResidual, lowestResidual);
    };
    const searchResult = searchCandidates(examination, {
      claim,
      starts,
      possibleStarts,
      otherVariations,
      isAccepted,
      canEstimate: format === (finestFormat ?? dumpFormat),
    });
    if (explanations.candidates.length === 0 || searchResult.best)
      explanations = { ...searchResult, isRotation: possibleStarts.length > 0 };
    if (searchResult.best) return explanations;
  }
  examination.format = finestFormat ?? dumpFormat;
  return explanations;
}

interface SearchStart {
  readonly state: State;
  readonly variations: readonly Variation[];
}

interface SearchInput {
  readonly claim: State;
  /** The claimed state, and its variations with other channel pairs. */
  readonly starts: readonly SearchStart[];
  readonly possibleStarts: readonly SearchStart[];
  readonly otherVariations: readonly Variation[];
  readonly isAccepted: (candidate: Candidate) => boolean;
  readonly canEstimate: boolean;
}

function searchCandidates(
  examination: Examination,
  { claim, starts, possibleStarts, otherVariations, isAccepted, canEstimate }: SearchInput,
): Omit<Explanations, 'isRotation'> {
  const candidates: Candidate[] = [];
  const examine = (state: State | undefined, path: readonly Variation[]): Candidate | undefined => {
    const candidate = state && examination.fitState(state, path);
    if (!candidate) return undefined;
    candidates.push(candidate);
    for (const gain of gainsOf(candidate, examination.noise)) {
      const gainChange = gainVariation(claim.gain, candidate.state.gain, gain);
      const changedState = applyVariation(candidate.state, gainChange);
      const refinedCandidate = changedState && examination.fitState(changedState, [...path, gainChange]);
      if (refinedCandidate) candidates.push(refinedCandidate);
    }
    return candidate;
  };
  for (const { state, variations } of starts) examine(state, variations);
  for (const variation of otherVariations) examine(applyVariation(claim, variation), [variation]);
  // Try pairs of faults only if no single fault explains the dump within its rounding error.
  if (!candidates.some((candidate) => isAccepted(candidate) && candidate.fit.score <= 1)) {
    for (const { state, variations } of possibleStarts)
      for (const variation of otherVariations) {
        const variedState = applyVariation(state, variation);
        if (variations.length > 0) examine(variedState, [...variations, variation]);
        else if (variedState && variation.group === 'frequencies')
          for (const secondVariation of otherVariations)
            if (secondVariation.group === 'positions') examine(applyVariation(variedState, secondVariation), [variation, secondVariation]);
      }
  }
  if (canEstimate && !candidates.some(isAccepted))
    for (const { state, variations } of possibleStarts) addEstimates(examination, state, variations, examine);

  candidates.sort((a, b) => a.fit.residual - b.fit.residual);
  const acceptedCandidates = candidates.filter(isAccepted);
  const minChi2 = Math.min(...acceptedCandidates.map(({ fit }) => fit.chi2));
  const indistinguishableCandidates = acceptedCandidates.filter(({ fit }) => fit.chi2 <= minChi2 + MAX_CHI2_DIFFERENCE);
  indistinguishableCandidates.sort((a, b) => a.state.findings.length - b.state.findings.length || a.order - b.order);
  const [best, ...equivalents] = indistinguishableCandidates;
  return { candidates, ...(best ? { best } : {}), equivalents };
}

/**
 * Returns the gain with which the candidate's angles explain the dump: 1 or the square of the candidate's gain if either fits, otherwise the best
 * gain. Returns an empty array if no gain explains the dump or the candidate's gain already fits.
 */
function gainsOf({ fit, state }: Candidate, noise: number): number[] {
  const gain = fit.bestGain;
  if (state.planes.rotaryDim === 0 || !(gain > 0.05) || fit.bestScore > MAX_RESIDUAL || Math.abs(gain / state.gain - 1) < noise) return [];
  const exactGain = [1, state.gain * state.gain].find(
    (possibleGain) => Math.abs(gain / possibleGain - 1) < noise && possibleGain !== state.gain,
  );
  return [exactGain ?? gain];
}

function gainVariation(claimed: number, currentGain: number, foundGain: number): Variation {
  const id =
    foundGain === 1
      ? 'attention_factor_missing'
      : foundGain === currentGain * currentGain
        ? 'attention_factor_twice'
        : 'wrong_attention_factor';
  return { id, group: 'gain', params: { found: foundGain, claimed }, apply: () => ({ gain: foundGain }) };
}

function addEstimates(
  examination: Examination,
  state: State,
  path: readonly Variation[],
  examine: (state: State | undefined, path: readonly Variation[]) => Candidate | undefined,
) {
  const { encoding } = state;
  if (encoding.id !== 'rope' || coordinatesOf(state.positions)[0]?.length !== 1) return;
  const examineVariation = (variation: Variation) => examine(applyVariation(state, variation), [...path, variation]);
  const { angles } = examination;
  const createFitTest = (makeVariation: (value: number) => Variation, exactValue: number) => {
    const examineValue = (value: number) => {
      const changedState = applyVariation(state, makeVariation(value));
      return changedState && examination.fitState(changedState, []);
    };
    const exactScore = examineValue(exactValue)?.fit.bestScore ?? 0;
    return (value: number) => (examineValue(value)?.fit.bestScore ?? Number.POSITIVE_INFINITY) <= Math.max(exactScore * 1.02, 0.3);
  };
  for (const rotationSign of [1, -1]) {
    const baseVariation = (found: number): Variation => ({
      id: 'wrong_base',
      group: 'frequencies',
      params: { found, claimed: baseOf(encoding), ...(rotationSign < 0 ? { direction: -1 } : {}) },
      apply: () => {
        const newEncoding = { ...(scalingOf(encoding) === 'linear' ? encoding : removeScaling(encoding)), base: found };
        return { encoding: newEncoding, gain: angles.gainOf(newEncoding), angleFactor: rotationSign };
      },
    });
    for (const found of estimateBases(examination, { ...state, angleFactor: rotationSign }))
      examineVariation(baseVariation(roundIfAsGood(found, createFitTest(baseVariation, found))));
  }
  const scaleVariation = (factor: number): Variation => ({
    id: scalingOf(encoding) === 'none' ? 'scaling_unclaimed' : 'wrong_scaling_factor',
    group: 'frequencies',
    params: scalingOf(encoding) === 'none' ? { factor } : { found: factor, claimed: 1 },
    apply: () => ({ angleFactor: state.angleFactor / factor }),
  });
  for (const found of estimateAngleFactors(examination, state))
    examineVariation(scaleVariation(roundIfAsGood(1 / found, createFitTest(scaleVariation, 1 / found))));
  const claimed = state.positions as readonly number[];
  const offset = estimateOffset(examination, state);
  if (offset !== 0)
    examineVariation(
      findPattern(
        state.tokens,
        claimed,
        claimed.map((position) => position + offset),
      ) as Variation,
    );
  const positions = estimatePositions(examination, state);
  const patternVariation = positions && findPattern(state.tokens, claimed, positions);
  if (patternVariation) examineVariation(patternVariation);
}
