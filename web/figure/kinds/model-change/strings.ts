import { formatWholePercent } from '../../../charts/english.ts';
import { formatNumber } from '../../../charts/number.ts';
import type { ChangeId } from './changes.ts';
import type { LineId } from './compute.ts';

export const percent = (probability: number): string => (probability < 0.005 ? '< 1%' : formatWholePercent(probability));

const numberFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** Each change's legend label, and a clause that completes a sentence such as "The loss is 3 …". */
const CHANGES: { readonly [Id in ChangeId]: (amount: string) => readonly [name: string, clause: string] } = {
  clip: (amount) => [`clipped at ${amount}`, `with distances clipped at ${amount}`],
  none: () => ['no positions', 'without positions'],
  window: (amount) => [`window of ${amount}`, `with attention limited to the last ${amount} tokens`],
  linear: (amount) => [`positions / ${amount}`, `with positions divided by ${amount}`],
  ntk: (amount) => [`NTK, factor ${amount}`, `with NTK-aware scaling by a factor of ${amount}`],
  yarn: (amount) => [`YaRN, factor ${amount}`, `with YaRN scaling by a factor of ${amount}`],
  base: (amount) => [`base ${amount}`, `with a base of ${amount}`],
  shift: (amount) => [`shifted by ${amount}`, `with all positions increased by ${amount}`],
  reverse: () => ['reversed', 'with positions in reverse order'],
  layout: () => ['other pairs', 'with channels paired the other way'],
  still_slow: (amount) => [`${amount} slow pairs stopped`, `with the ${amount} slowest pairs not rotating`],
  still_fast: (amount) => [`${amount} fast pairs stopped`, `with the ${amount} fastest pairs not rotating`],
  silence: () => ['silenced', 'with the attention output set to zero'],
};

interface Scope {
  readonly layer: number;
  readonly head: number;
}

const describeScope = ({ layer, head }: Scope): string =>
  [layer ? `layer ${layer}` : '', head ? `head ${head}${layer ? '' : ' of every layer'}` : ''].filter(Boolean).join(', ');

const shortenToEnd = (text: string): string => (text.length > 160 ? `… ${text.slice(text.indexOf(' ', text.length - 150) + 1)}` : text);

const formatToken = (token: string): string => token.replaceAll('\n', '↵').trim() || '␣';
const formatSigned = (value: number): string => `${value < 0 ? '' : '+'}${formatNumber(value)}`;

export const strings = {
  example: 'I think every thing has passed off uncommonly well, I assure',
  question: 'What does a model lose without positions?',
  instruction: 'Remove or change the positions.',
  caption:
    'A language model’s loss on a novel (lower is better) and its most likely next tokens: as trained, without positions, and with the selected change. The weights stay the same.',
  labels: { change: 'change', amount: 'amount', text: 'text', layer: 'layer', head: 'head', longest: 'longest text' },
  help: {
    change:
      'The weights stay the same. Clipping limits distances to the selected amount; stopped pairs do not rotate; silent heads output zeros.',
    amount: 'The distance, factor, base, shift, window or number of pairs that the change uses; 0 selects the default.',
    text: '1 to 300 tokens of the model’s tokenizer; the model predicts the next token.',
    layer: 'The layer to change, counted from 1; 0 selects all layers.',
    head: 'The head to change, counted from 1; 0 selects all heads.',
    longest: 'Length of the longest passage read from the novel, in tokens.',
  },
  changes: {
    clip: 'clip distances (ReRoPE)',
    none: 'no positions',
    window: 'window',
    linear: 'divide positions (linear)',
    ntk: 'slow down slow pairs (NTK)',
    yarn: 'YaRN',
    base: 'another base',
    shift: 'shift positions',
    reverse: 'reverse positions',
    layout: 'other channel pairing',
    still_slow: 'stop slow pairs',
    still_fast: 'stop fast pairs',
    silence: 'silent heads',
  },
  lineName: (line: LineId, change: ChangeId, amount: number | undefined, { layer, head }: Scope): string => {
    if (line !== 'changed') return { trained: 'as trained', none: 'no positions' }[line];
    if (change === 'none') return `${layer && head ? `head ${layer}.${head}` : layer ? `layer ${layer}` : `heads ${head}`} without`;
    return CHANGES[change](numberFormat.format(amount ?? 0))[0];
  },
  lineClause: (line: LineId, change: ChangeId, amount: number | undefined, scope: Scope): string => {
    if (line !== 'changed') return { trained: 'as trained', none: 'without positions' }[line];
    const scopeClause = describeScope(scope);
    return `${CHANGES[change](numberFormat.format(amount ?? 0))[1]}${scopeClause ? ` in ${scopeClause}` : ''}`;
  },
  lossAxis: (targetCount: number) => `Loss on the last ${targetCount} tokens, nats`,
  lengthAxis: 'tokens read',
  trainedRange: (length: number) => `trained on up to ${length}`,
  shortTrainedRange: 'trained',
  layersTitle: 'Added loss without positions, nats',
  allLayers: 'all layers',
  layerLabel: (layer: number) => `layer ${layer + 1}`,
  guessesTitle: (text: string) => `“${shortenToEnd(text.replaceAll('\n', '↵'))} …”: the next token`,
  guessLabel: (token: string, probability: number) => `${formatToken(token)} ${percent(probability)}`,
  visibleToken: formatToken,
  formatSigned,
  lossReadout: (length: number, lossEntries: readonly (readonly [clause: string, loss: number])[]) =>
    `After ${length} tokens the loss is ${lossEntries.map(([clause, loss]) => `${formatNumber(loss)} ${clause}`).join('; ')}.`,
  trainedLengthNote: (length: number, trainedLength: number) =>
    length > trainedLength ? `The model was trained on texts of up to ${trainedLength} tokens.` : '',
  layerCostReadout: (layer: number | undefined, cost: number, length: number) =>
    Number.isFinite(cost)
      ? `With positions removed from ${layer === undefined ? 'all layers' : `layer ${layer + 1} only`}, the loss after ${length} tokens changes by ${formatSigned(cost)} nats`
      : `Layer ${(layer ?? 0) + 1} has no positions that can be removed separately`,
  nextTokensReadout: (tokenEntries: readonly (readonly [clause: string, token: string, probability: number])[]) =>
    `Next token: ${tokenEntries.map(([clause, token, probability]) => `“${formatToken(token)}” ${percent(probability)} ${clause}`).join('; ')}.`,
  guessReadout: (clause: string, token: string, probability: number) =>
    `Next token ${clause}: “${formatToken(token)}” with ${percent(probability)}`,
  sourceNote: (name: string, isShipped: boolean, completedCount: number, passageCount: number) =>
    `${isShipped ? 'A small model trained on Jane Austen’s novels' : name}, mean of ${completedCount < passageCount ? `${completedCount} of ${passageCount}` : passageCount} ${passageCount === 1 ? 'passage' : 'passages'} of Pride and Prejudice${isShipped ? ', not part of its training data' : ''}.`,
  measuringFirstPassage: 'Measuring the first passage.',
  stoppedInFirstPassage: 'Stopped during the first passage.',
  buttons: { none: 'Remove positions', clip: 'Clip distances', window: 'Window', reverse: 'Reverse', shift: 'Shift', layout: 'Swap pairs' },
  noModel: 'this page has no language model; the website has one',
  noNextToken: (type: string) => `model: ${type} does not predict the next token; expected a causal model with a language-model head`,
  noTokenizer: (reason: string) => `longest: the novel cannot be read without a tokenizer. ${reason}`,
  outOfRange: (field: 'layer' | 'head', value: number, max: number) =>
    `${field}: ${value} is too large; expected 0 to ${max}, the number of ${field === 'layer' ? 'layers' : 'heads per layer'}`,
  unsupportedChange: (reason: string) => `change: not supported by this model (${reason}); expected another change`,
  unusedAmount: (change: string) => `amount: not used by the change ${change}; expected 0`,
  tooManyPairs: (amount: number, pairs: number) =>
    `amount: ${amount} is too large; expected at most ${pairs}, the number of pairs per head`,
  proof: {
    quantity: (change: ChangeId) =>
      `largest difference in log-probabilities ${IDENTITIES[change]}, or between log-probabilities and the log-softmax of the logits`,
    toleranceSource: 'float32 rounding, accumulated over all layers',
    passes: 'The change has exactly the stated effect.',
    fails: 'The change does not have the stated effect.',
  },
  tables: {
    loss: 'loss, nats per token',
    layers: 'increase in loss when positions are removed from one layer, nats',
    nextTokens: (clause: string) => `next token ${clause}`,
    token: 'token',
    probability: 'probability',
    line: 'positions',
    layer: 'layer',
    cost: 'nats',
  },
} as const;

const IDENTITIES: { readonly [Id in ChangeId]: string } = {
  clip: 'if distances are clipped at the length of the text, which no distance exceeds',
  none: 'if positions are reversed and then removed',
  window: 'between a window as long as the text and no window',
  linear: 'between a factor of 1 and no scaling',
  ntk: 'between a factor of 1 and no scaling',
  yarn: 'between a factor of 1 and no scaling',
  base: 'if the base is doubled before it is set',
  shift: 'if positions are shifted back',
  reverse: 'if positions are reversed twice',
  layout: 'if the channel layout is swapped twice',
  still_slow: 'between all pairs stopped and no positions',
  still_fast: 'between all pairs stopped and no positions',
  silence: 'between silent heads and skipped attention',
};
