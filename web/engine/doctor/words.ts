// Converts a diagnosis to sentences.

import { FAULTS } from './faults.ts';
import { formatPercent } from './percent.ts';
import type { Diagnosis, Finding, ReportParams, ReportValue } from './report.ts';

const REASON_SENTENCES: { readonly [reason: string]: string } = {
  only_position_zero: 'Cannot tell: every position is 0, where nothing rotates. Dump tokens at other positions.',
  rotation_within_noise:
    'Cannot tell: the rotation is smaller than the rounding error of the dump. Dump tokens at larger positions, or dump float32 values.',
  positions_too_near:
    'Cannot tell: at these positions, the claimed encoding gives the same values with and without scaling. Dump tokens at larger positions.',
  input_is_zero: 'Cannot tell: the input is zero. Dump a layer after a forward pass.',
  needs_config: 'Cannot tell: there is no claim to compare with. Pass a config or an encoding.',
  text_too_short: 'Cannot tell: the text is too short, or its scores are too small, to reveal the window or the cap.',
  one_token: 'Cannot tell: the dump has one token. Dump two or more.',
  no_tokens: 'Cannot tell: the mask hides every token. Pass a mask in which 1 marks visible tokens.',
  other_model: 'Cannot tell: the GGUF file has {found} for {key}, but the config has {claimed}. The files belong to different models.',
  needs_parts: 'Cannot tell: the time, row and column ids differ. Pass the texts and images of the sequence, in order.',
  shapes_differ: 'Cannot tell: the shapes of the two arrays differ. Dump the same tokens and heads of one layer.',
  not_a_rotation:
    'Not explained: no rotation of channel pairs maps one array to the other. Check that both come from the same layer and input.',
  frequencies_unknown: 'Not explained: no known fault produces these numbers.',
  not_finite: 'Not explained: some values are not finite.',
};

const VERDICT_SENTENCES: { readonly [verdict: string]: string } = {
  as_claimed: 'The dump matches the claim.',
  same: 'Both implementations compute the same values.',
  same_after_softmax: 'For each query, the scores differ from the claim by a constant, which cancels in the softmax.',
};

const formatValue = (value: ReportValue): string => {
  if (typeof value === 'number') return String(Number(value.toPrecision(6)));
  return Array.isArray(value) ? value.map((entry) => String(Number((entry as number).toPrecision(4)))).join(', ') : String(value);
};
const fillPlaceholders = (text: string, params: ReportParams) =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => formatValue(params[name] ?? '?'));

const sentenceOf = ({ id, params }: Finding) => fillPlaceholders(FAULTS[id]?.[0] ?? `${id}.`, params);

function identifiedSentence(params: ReportParams): string {
  if (params.id === 'none') return 'Nothing is rotated.';
  const parameterTexts = Object.entries(params).map(([name, value]) => `${name} ${formatValue(value)}`);
  return `The dump matches a rotation with ${parameterTexts.join(', ')}.`;
}

export function describeDiagnosis(diagnosis: Diagnosis): { readonly sentence: string; readonly fix?: string } {
  const { verdict, reason, params, also, residual, claimedResidual, first, rounding, noise } = diagnosis;
  if (reason !== undefined) {
    const beyondSentence =
      params.beyond === undefined
        ? ''
        : ` With and without scaling, the values differ visibly from position ${formatValue(params.beyond)} onward.`;
    return { sentence: fillPlaceholders(REASON_SENTENCES[reason] ?? `${verdict}: ${reason}.`, params) + beyondSentence };
  }
  const claimText =
    claimedResidual === undefined || claimedResidual === residual ? '' : ` against ${formatPercent(claimedResidual)} for the claim`;
  const limitText = rounding === undefined ? '' : `; rounding to ${noise} explains up to ${formatPercent(rounding)}`;
  const residualText = residual === undefined ? '' : ` Residual ${formatPercent(residual)}${claimText}${limitText}.`;
  if (verdict === 'identified') return { sentence: identifiedSentence(params) + residualText };
  if (VERDICT_SENTENCES[verdict]) return { sentence: VERDICT_SENTENCES[verdict] + residualText };
  const locationTexts = Object.entries(first ?? {}).map(([name, index]) => `${name} ${index}`);
  const firstText = locationTexts.length > 0 ? ` First difference: ${locationTexts.join(', ')}.` : '';
  const sentence = [{ id: verdict, params }, ...also].map(sentenceOf).join(' ') + residualText + firstText;
  const fix = [verdict, ...also.map(({ id }) => id)].flatMap((id) => FAULTS[id]?.[1] ?? []).join(' ');
  return { sentence, ...(fix ? { fix } : {}) };
}
