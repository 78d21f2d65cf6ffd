import type { EncodingInfo } from '../../../engine/index.ts';
import type { HintFunction, HintSettings } from '../../contract/hint.ts';

const KEY_POSITION_HINT = 'In this form of the encoding, the bias grows with the key’s position, so each query has different lines.';
/** By the parameter `form`, hints for biases that do not depend on distance alone. */
const FORM_HINTS: { readonly [form: string]: string } = {
  row_shifted: KEY_POSITION_HINT,
  mpt: KEY_POSITION_HINT,
  weighted_power:
    'The form weighted_power also multiplies the scores, so the bias depends on the words, too: each query has different lines.',
};

function describeLines({ id, injection, relative }: EncodingInfo, { params }: HintSettings): string {
  if (id === 'fire')
    return 'Up to position init_l, the bias depends only on the distance; beyond it, it also depends on the query’s position.';
  if (injection !== 'score') return 'The bias depends on the query as well as on the distance, so each query has different lines.';
  const formHint = FORM_HINTS[String(params.form)];
  if (formHint) return formHint;
  return relative
    ? 'The bias depends on the distance alone, so one line determines the whole matrix.'
    : 'The bias depends on more than the distance.';
}

export const hint: HintFunction = ({ encodingNoun, encoding, settings }) =>
  `Each line is one head with ${encodingNoun}. ${describeLines(encoding, settings)}`;
