// Identifies which rotation produced the dumped vectors if no encoding was claimed, or if the claimed encoding is `none`.

import type { EncodingConfig } from '../types/api.ts';
import { NOISE } from './dump.ts';
import type { Candidate, Examination } from './examination.ts';
import { explain } from './explain.ts';
import { measureFit } from './fit.ts';
import { createDiagnosis, type Diagnosis, type Explanation, withoutExplanation } from './report.ts';
import { computeResiduals, findFirstDifference, range } from './residuals.ts';
import { baseOf, coordinatesOf, findEncoding, numberParam, type State, scalingOf, type TokenPositions } from './state.ts';

export const areAllZero = (positions: TokenPositions) => coordinatesOf(positions).every((row) => row.every((position) => position === 0));

export const toExplanation = ({ state, fit }: Candidate): Explanation => ({ findings: state.findings, residual: fit.residual });

const ROPE = { id: 'rope', layout: 'half_split', base: 10000 } as unknown as EncodingConfig;

export function identifyEncoding(examination: Examination, stateOf: (encoding: EncodingConfig) => State): Diagnosis {
  const unrotatedState = stateOf({ id: 'none' } as unknown as EncodingConfig);
  const isUnrotated = measureFit(
    examination.statisticsOf(unrotatedState.planes),
    { angles: [], gain: 1 },
    NOISE[examination.format],
  ).isExplanation;
  const state = stateOf(ROPE);
  if (coordinatesOf(state.positions)[0]?.length !== 1) return withoutExplanation('cannot_tell', 'needs_config');
  if (areAllZero(state.positions)) return withoutExplanation('cannot_tell', 'only_position_zero');
  if (isUnrotated) return createDiagnosis('identified', { id: 'none' }, { noise: examination.format });
  const explanations = explain(examination, state, undefined);
  if (!explanations.best)
    return withoutExplanation('not_explained', explanations.isRotation ? 'frequencies_unknown' : 'not_a_rotation', {
      noise: examination.format,
    });
  const { best } = explanations;
  const { encoding, planes, angleFactor, gain } = best.state;
  const params = {
    layout: planes.layout,
    base: baseOf(encoding),
    rotary_dim: planes.rotaryDim,
    direction: Math.sign(angleFactor) || 1,
    factor: scalingOf(encoding) === 'linear' ? numberParam(encoding, 'factor', 4) : 1 / Math.abs(angleFactor),
    ...(gain === 1 ? {} : { attention_factor: gain }),
  };
  const isFurtherFault = ({ id }: { id: string }) =>
    !/^(wrong_pairing|wrong_base|wrong_rotary_width|reversed_direction|scaling_unclaimed|wrong_attention_factor)$/.test(id);
  const residuals = computeResiduals(examination, best.state);
  const identifiedEncoding = findEncoding(best.state, examination.angles);
  return createDiagnosis('identified', params, {
    also: best.state.findings.filter(isFurtherFault),
    noise: examination.format,
    residual: best.fit.residual,
    equivalents: explanations.equivalents.map(toExplanation),
    ...(identifiedEncoding ? { encoding: identifiedEncoding } : {}),
    rounding: best.fit.rounding,
    map: {
      columnAxis: 'pair',
      tokens: examination.tokens,
      heads: examination.heads,
      positions: state.positions as readonly number[],
      ...(residuals ? { found: residuals } : {}),
    },
  });
}

export function diagnoseUnrotated(examination: Examination, stateOf: (encoding: EncodingConfig) => State): Diagnosis {
  const unrotatedState = stateOf({ id: 'none' } as unknown as EncodingConfig);
  const s = examination.statisticsOf(unrotatedState.planes);
  const fit = measureFit(s, { angles: [], gain: 1 }, examination.noise);
  if (fit.isExplanation)
    return createDiagnosis('as_claimed', {}, { residual: fit.residual, claimedResidual: fit.residual, noise: examination.format });
  const diagnosis = identifyEncoding(examination, stateOf);
  if (diagnosis.verdict !== 'identified') return { ...diagnosis, claimedResidual: fit.residual };
  const allTokens = range(examination.inputVectors.tokens);
  const difference = findFirstDifference(examination, { ...unrotatedState, tokens: allTokens, positions: allTokens });
  // Residuals of the claimed encoding `none`, for the channel pairs of the identified rotation.
  const claimed = diagnosis.encoding && computeResiduals(examination, { ...stateOf(diagnosis.encoding), angleFactor: 0, gain: 1 });
  const map = diagnosis.map && claimed ? { map: { ...diagnosis.map, claimed } } : {};
  return {
    ...diagnosis,
    ...map,
    verdict: 'rotated_without_claim',
    claimedResidual: fit.residual,
    ...(difference ? { first: difference } : {}),
  };
}
