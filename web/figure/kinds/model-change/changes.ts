// The position changes that a reader can select, each with the call that applies it and an identity for the proof.
import type { PositionChange } from '../../../engine/types/model-changes.ts';
import type { ModelInfo } from '../../../engine/types/model-files.ts';
import { SpecError } from '../../contract/spec.ts';
import { strings } from './strings.ts';

export const CHANGES = [
  'clip',
  'none',
  'window',
  'linear',
  'ntk',
  'yarn',
  'base',
  'shift',
  'reverse',
  'layout',
  'still_slow',
  'still_fast',
  'silence',
] as const;
export type ChangeId = (typeof CHANGES)[number];

/** The scope of a change: all layers and heads, or one of them. */
export interface ChangeScope {
  readonly layers?: readonly number[];
  readonly heads?: readonly number[];
}

interface Context extends ChangeScope {
  readonly amount: number;
  /** Number of tokens of the text. */
  readonly tokens: number;
  readonly info: ModelInfo;
  /** Length of the training texts in tokens, if the config states it. */
  readonly trained: number | undefined;
}

type Changes = readonly PositionChange[];

interface ChangeKind {
  /** The default amount; undefined for a change without an amount. */
  defaultAmount(info: ModelInfo): number | undefined;
  changes(context: Context): Changes;
  /** Two lists of changes with the same result. */
  identity(context: Context): readonly [Changes, Changes];
}

const placeOf = ({ layers, heads }: ChangeScope): ChangeScope => ({ ...(layers ? { layers } : {}), ...(heads ? { heads } : {}) });
const noPositions = (place: ChangeScope): PositionChange => ({ kind: 'none', ...placeOf(place) });
const reverse = ({ tokens, ...place }: Context): PositionChange => ({
  kind: 'order',
  order: Array.from({ length: tokens }, (_, token) => tokens - 1 - token),
  ...placeOf(place),
});
const paramsChange = (values: { readonly [name: string]: number | string }, place: ChangeScope): PositionChange => ({
  kind: 'params',
  params: values,
  ...placeOf(place),
});
const stoppedPairs = (pairsBegin: number, pairsEnd: number, place: ChangeScope): PositionChange => ({
  kind: 'still',
  pairsBegin,
  pairsEnd,
  ...placeOf(place),
});
const pairsOf = ({ headDim }: ModelInfo): number => Math.floor(headDim / 2);

/** Extends the context with slower rotations; a factor of 1 changes nothing. */
const scalingChange = (scaling: string): ChangeKind => {
  const withFactor = (factor: number, { trained, ...place }: Context): Changes => [
    paramsChange({ scaling, factor, ...(scaling === 'yarn' ? { original_length: trained ?? place.tokens } : {}) }, place),
  ];
  return {
    defaultAmount: () => 4,
    changes: (context) => withFactor(context.amount, context),
    identity: (context) => [withFactor(1, context), []],
  };
};

/** Stops the rotation of some pairs; if all are stopped, there are no positions. */
const stoppedPairsChange = (range: (pairs: number, amount: number) => readonly [number, number]): ChangeKind => ({
  defaultAmount: (info) => Math.floor(pairsOf(info) / 2),
  changes: ({ amount, info, ...place }) => [stoppedPairs(...range(pairsOf(info), amount), place)],
  identity: ({ info, ...place }) => [[stoppedPairs(0, pairsOf(info), place)], [noPositions(place)]],
});

const CHANGE_KINDS: { readonly [Id in ChangeId]: ChangeKind } = {
  clip: {
    defaultAmount: () => 100,
    changes: ({ amount, ...place }) => [{ kind: 'clip', clip: amount, ...placeOf(place) }],
    identity: ({ tokens, ...place }) => [[{ kind: 'clip', clip: tokens, ...placeOf(place) }], []],
  },
  none: {
    defaultAmount: () => undefined,
    changes: (context) => [noPositions(context)],
    identity: (context) => [[reverse(context), noPositions(context)], [noPositions(context)]],
  },
  window: {
    defaultAmount: () => 64,
    changes: ({ amount, ...place }) => [{ kind: 'window', window: amount, ...placeOf(place) }],
    identity: ({ tokens, ...place }) => [[{ kind: 'window', window: tokens, ...placeOf(place) }], [{ kind: 'window', ...placeOf(place) }]],
  },
  linear: scalingChange('linear'),
  ntk: scalingChange('ntk_aware'),
  yarn: scalingChange('yarn'),
  base: {
    defaultAmount: () => 100_000,
    changes: ({ amount, ...place }) => [paramsChange({ base: amount }, place)],
    identity: ({ amount, ...place }) => [
      [paramsChange({ base: 2 * amount }, place), paramsChange({ base: amount }, place)],
      [paramsChange({ base: amount }, place)],
    ],
  },
  shift: {
    defaultAmount: () => 1000,
    changes: ({ amount, ...place }) => [{ kind: 'shift', shift: amount, ...placeOf(place) }],
    identity: ({ amount, ...place }) => [
      [
        { kind: 'shift', shift: amount, ...placeOf(place) },
        { kind: 'shift', shift: -amount, ...placeOf(place) },
      ],
      [],
    ],
  },
  reverse: {
    defaultAmount: () => undefined,
    changes: (context) => [reverse(context)],
    identity: (context) => [[reverse(context), reverse(context)], []],
  },
  layout: {
    defaultAmount: () => undefined,
    changes: (place) => [{ kind: 'layout', ...placeOf(place) }],
    identity: (place) => [
      [
        { kind: 'layout', ...placeOf(place) },
        { kind: 'layout', ...placeOf(place) },
      ],
      [],
    ],
  },
  still_slow: stoppedPairsChange((pairs, amount) => [Math.max(0, pairs - amount), pairs]),
  still_fast: stoppedPairsChange((_, amount) => [0, amount]),
  silence: {
    defaultAmount: () => undefined,
    changes: (place) => [{ kind: 'zero_ablation', ...placeOf(place) }],
    identity: ({ layers }) => {
      const place = layers ? { layers } : {};
      return [[{ kind: 'zero_ablation', ...place }], [{ kind: 'skip', ...place }]];
    },
  },
};

/**
 * The amount in the fields, or the default; undefined for a change without an amount.
 * @throws {SpecError} for an amount that the change would ignore
 */
export function amountOf(change: ChangeId, amount: number, info: ModelInfo): number | undefined {
  const defaultAmount = CHANGE_KINDS[change].defaultAmount(info);
  if (defaultAmount === undefined && amount !== 0) throw new SpecError('amount', strings.noAmount(change));
  const pairs = pairsOf(info);
  if (change.startsWith('still') && amount > pairs) throw new SpecError('amount', strings.tooManyPairs(amount, pairs));
  return defaultAmount === undefined || amount === 0 ? defaultAmount : amount;
}

export const changesOf = (change: ChangeId, context: Omit<Context, 'amount'> & { readonly amount: number | undefined }): Changes =>
  CHANGE_KINDS[change].changes({ ...context, amount: context.amount ?? 0 });

export const identityOf = (
  change: ChangeId,
  context: Omit<Context, 'amount'> & { readonly amount: number | undefined },
): readonly [Changes, Changes] => CHANGE_KINDS[change].identity({ ...context, amount: context.amount ?? 0 });
