// Diagnoses queries or keys from their values before and after the rotation.

import type { EncodingConfig, Phasor } from '../types/api.ts';
import { areFinite, isZero, sampleHeads, sampleTokens, type Vectors } from './dump.ts';
import { applyVariation, type Candidate, Examination } from './examination.ts';
import { type Explanations, explain } from './explain.ts';
import { areAllZero, diagnoseUnrotated, identifyEncoding, toExplanation } from './identify.ts';
import { createDiagnosis, type Diagnosis, withoutExplanation } from './report.ts';
import { computeResiduals, findFirstDifference, range } from './residuals.ts';
import { Angles, coordinatesOf, findEncoding, removeScaling, type State, type TokenPositions } from './state.ts';

export interface RotatedVectors {
  readonly before: Vectors;
  readonly after: Vectors;
  /** The positions of all tokens, including those that are not sampled. */
  readonly positions: TokenPositions;
  readonly claim?: EncodingConfig | undefined;
  readonly other?: EncodingConfig | undefined;
}

export function diagnoseRotation(phasor: Phasor, dump: RotatedVectors): Diagnosis {
  const { before, after } = dump;
  if (before.tokens !== after.tokens || before.heads !== after.heads || before.dim !== after.dim)
    return withoutExplanation('cannot_tell', 'shapes_differ');
  if (!areFinite(before.data) || !areFinite(after.data)) return withoutExplanation('not_explained', 'not_finite');
  if (isZero(before.data)) return withoutExplanation('cannot_tell', 'input_is_zero');
  if (before.dim % 2 !== 0) return withoutExplanation('not_explained', 'not_a_rotation');
  let tokens = sampleTokens(before.tokens);
  const heads = sampleHeads(before.heads);
  const angles = new Angles(phasor, before.dim, heads);
  const stateAt = (encoding: EncodingConfig, at: readonly number[]): State => ({
    encoding,
    tokens: at,
    positions: at.map((token) => dump.positions[token]) as unknown as TokenPositions,
    planes: angles.planesOf(encoding),
    angleFactor: 1,
    gain: angles.gainOf(encoding),
    findings: [],
  });
  if (!dump.claim) return identifyEncoding(new Examination(before, after, angles, tokens, heads), (encoding) => stateAt(encoding, tokens));
  const claim = dump.claim;
  if (claim.id === 'none')
    return diagnoseUnrotated(new Examination(before, after, angles, tokens, heads), (encoding) => stateAt(encoding, tokens));

  // If a fault starts between two sampled tokens, adds the tokens between them to the sample.
  for (let repetition = 0; ; repetition++) {
    const examination = new Examination(before, after, angles, tokens, heads);
    const explanations = explain(examination, stateAt(claim, tokens), dump.other);
    const stateOfAllTokens = (candidate: Candidate | undefined) =>
      candidate?.variations.reduce<State | undefined>(
        (state, variation) => state && applyVariation(state, variation),
        stateAt(claim, range(before.tokens)),
      ) ?? stateAt(claim, range(before.tokens));
    const faultToken = faultTokenOf(explanations.best);
    const skippedTokens = faultToken === undefined ? [] : tokensBefore(tokens, faultToken);
    const failingToken =
      skippedTokens.length > 0 || !explanations.best
        ? undefined
        : findFirstDifference(examination, stateOfAllTokens(explanations.best), true)?.token;
    const addedTokens =
      failingToken === undefined
        ? skippedTokens
        : [failingToken, ...tokensBefore(tokens, failingToken)].filter((token) => !tokens.includes(token));
    if (addedTokens.length > 0 && repetition < 6) {
      tokens = [...new Set([...tokens, ...sampleEvenly(addedTokens, 64)])].sort((a, b) => a - b);
      continue;
    }
    if (failingToken !== undefined && explanations.best)
      return createReport(
        examination,
        { ...explanations, candidates: explanations.candidates, equivalents: [] },
        stateOfAllTokens(undefined),
        dump,
        true,
      );
    return createReport(examination, explanations, stateOfAllTokens(undefined), dump, false);
  }
}

const sampleEvenly = (items: readonly number[], maxCount: number) =>
  items.length <= maxCount ? items : items.filter((_, at) => at % Math.ceil(items.length / maxCount) === 0);

const faultTokenOf = (candidate: Candidate | undefined) => {
  const at = candidate?.state.findings.find(({ params }) => params.at !== undefined)?.params.at;
  return typeof at === 'number' ? at : undefined;
};

function tokensBefore(tokens: readonly number[], token: number): number[] {
  const previousToken = Math.max(-1, ...tokens.filter((sampledToken) => sampledToken < token));
  return range(token - previousToken - 1).map((step) => previousToken + 1 + step);
}

function createReport(
  examination: Examination,
  searchResult: Explanations,
  claim: State,
  dump: RotatedVectors,
  isPartial: boolean,
): Diagnosis {
  const { candidates, best, equivalents } = searchResult;
  const claimCandidate = candidates.find(({ variations }) => variations.length === 0);
  const difference = claimCandidate && claimCandidate === best && !isPartial ? undefined : findFirstDifference(examination, claim);
  const commonFields = {
    ...(difference ? { first: difference } : {}),
    ...(claimCandidate ? { claimedResidual: claimCandidate.fit.residual } : {}),
    noise: examination.format,
    claim: claim.encoding,
    ...((best ?? claimCandidate) ? { rounding: (best ?? claimCandidate)?.fit.rounding as number } : {}),
    next: candidates
      .filter((candidate) => candidate !== best && !equivalents.includes(candidate))
      .slice(0, 3)
      .map(toExplanation),
  };
  const map = {
    columnAxis: 'pair' as const,
    tokens: examination.tokens,
    heads: examination.heads,
    positions: coordinatesOf(claimCandidate?.state.positions ?? []).map((row) => row[0] ?? 0),
  };
  const claimed = claimCandidate ? computeResiduals(examination, claimCandidate.state) : undefined;
  if (!best || isPartial) {
    const reason = searchResult.isRotation ? 'frequencies_unknown' : 'not_a_rotation';
    return withoutExplanation('not_explained', reason, { ...commonFields, ...(claimed ? { map: { ...map, claimed } } : {}) });
  }
  const found = computeResiduals(examination, best.state);
  const encoding = findEncoding(best.state, examination.angles);
  const diagnosisFields = {
    ...commonFields,
    ...(encoding ? { encoding } : {}),
    residual: best.fit.residual,
    equivalents: equivalents.map(toExplanation),
    map: { ...map, ...(claimed ? { claimed } : {}), ...(found ? { found } : {}) },
  };
  const [main, ...also] = best.state.findings;
  if (main) {
    if (main.id === 'not_rotated' && areAllZero(dump.positions))
      return withoutExplanation('cannot_tell', 'only_position_zero', diagnosisFields);
    return createDiagnosis(main.id, main.params, { ...diagnosisFields, also });
  }
  if (areAllZero(dump.positions)) return withoutExplanation('cannot_tell', 'only_position_zero', diagnosisFields);
  const identityCandidate = candidates.find(
    ({ state, fit }) => state.findings.length === 1 && state.angleFactor === 0 && state.gain === 1 && fit.isExplanation,
  );
  if (identityCandidate && equivalents.includes(identityCandidate))
    return withoutExplanation('cannot_tell', 'rotation_within_noise', diagnosisFields);
  if (
    equivalents.some(({ state }) => state.findings.length === 1 && /^(scaling_missing|other_layer_type)$/.test(state.findings[0]?.id ?? ''))
  ) {
    const distinctPosition = findDistinctPosition(examination, best.state);
    return withoutExplanation('cannot_tell', 'positions_too_near', {
      ...diagnosisFields,
      params: distinctPosition === undefined ? {} : { beyond: distinctPosition },
    });
  }
  return createDiagnosis('as_claimed', {}, diagnosisFields);
}

/** Returns the smallest position at which one head's rotations with and without scaling differ by seven times the noise. */
function findDistinctPosition(examination: Examination, { encoding, gain, planes, ...rest }: State): number | undefined {
  const unscaledEncoding = removeScaling(encoding);
  const [scaledAngles, unscaledAngles] = [encoding, unscaledEncoding].map(
    (variant) => examination.angles.computeAngles({ ...rest, planes, gain, encoding: variant, positions: [1] })?.angles,
  );
  if (!scaledAngles || !unscaledAngles) return undefined;
  for (let position = 1; position <= 1 << 20; position++) {
    let sum = 0;
    for (let t = 0; t < scaledAngles.length; t++)
      sum += (2 * Math.sin((position * ((scaledAngles[t] as number) - (unscaledAngles[t] as number))) / 2)) ** 2;
    if (Math.sqrt(2 * sum) >= 7 * examination.noise) return position;
  }
  return undefined;
}
