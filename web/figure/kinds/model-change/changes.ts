// The position changes that the user can select. The proof of each compares two lists of changes that must give the same result.
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

export interface ChangeScope {
  readonly layers?: readonly number[];
  readonly heads?: readonly number[];
}

interface ChangeContext extends ChangeScope {
  readonly amount: number;
  readonly tokens: number;
  readonly info: ModelInfo;
  /** Training context length in tokens, if the config contains it. */
  readonly trainedLength: number | undefined;
}

type Changes = readonly PositionChange[];

interface ChangeKind {
  defaultAmount(info: ModelInfo): number | undefined;
  changes(context: ChangeContext): Changes;
  /** Returns two lists of changes with which the model must return the same result. */
  identityChanges(context: ChangeContext): readonly [Changes, Changes];
}

const copyScope = ({ layers, heads }: ChangeScope): ChangeScope => ({ ...(layers ? { layers } : {}), ...(heads ? { heads } : {}) });
const removePositions = (scope: ChangeScope): PositionChange => ({ kind: 'none', ...copyScope(scope) });
const reverseOrder = ({ tokens, ...scope }: ChangeContext): PositionChange => ({
  kind: 'order',
  order: Array.from({ length: tokens }, (_, token) => tokens - 1 - token),
  ...copyScope(scope),
});
const changeParams = (values: { readonly [name: string]: number | string }, scope: ChangeScope): PositionChange => ({
  kind: 'params',
  params: values,
  ...copyScope(scope),
});
const stopPairs = (pairsBegin: number, pairsEnd: number, scope: ChangeScope): PositionChange => ({
  kind: 'still',
  pairsBegin,
  pairsEnd,
  ...copyScope(scope),
});
const countPairs = ({ headDim }: ModelInfo): number => Math.floor(headDim / 2);

/** Scales RoPE for longer contexts. A factor of 1 has no effect. */
const createScaling = (scaling: string): ChangeKind => {
  const withFactor = (factor: number, { trainedLength, ...scope }: ChangeContext): Changes => [
    changeParams({ scaling, factor, ...(scaling === 'yarn' ? { original_length: trainedLength ?? scope.tokens } : {}) }, scope),
  ];
  return {
    defaultAmount: () => 4,
    changes: (context) => withFactor(context.amount, context),
    identityChanges: (context) => [withFactor(1, context), []],
  };
};

/** Stops the rotation of some channel pairs. Stopping all pairs is the same as removing positions. */
const createPairStop = (selectPairs: (pairs: number, amount: number) => readonly [number, number]): ChangeKind => ({
  defaultAmount: (info) => Math.floor(countPairs(info) / 2),
  changes: ({ amount, info, ...scope }) => [stopPairs(...selectPairs(countPairs(info), amount), scope)],
  identityChanges: ({ info, ...scope }) => [[stopPairs(0, countPairs(info), scope)], [removePositions(scope)]],
});

const CHANGE_KINDS: { readonly [Id in ChangeId]: ChangeKind } = {
  clip: {
    defaultAmount: () => 100,
    changes: ({ amount, ...scope }) => [{ kind: 'clip', clip: amount, ...copyScope(scope) }],
    identityChanges: ({ tokens, ...scope }) => [[{ kind: 'clip', clip: tokens, ...copyScope(scope) }], []],
  },
  none: {
    defaultAmount: () => undefined,
    changes: (context) => [removePositions(context)],
    identityChanges: (context) => [[reverseOrder(context), removePositions(context)], [removePositions(context)]],
  },
  window: {
    defaultAmount: () => 64,
    changes: ({ amount, ...scope }) => [{ kind: 'window', window: amount, ...copyScope(scope) }],
    identityChanges: ({ tokens, ...scope }) => [
      [{ kind: 'window', window: tokens, ...copyScope(scope) }],
      [{ kind: 'window', ...copyScope(scope) }],
    ],
  },
  linear: createScaling('linear'),
  ntk: createScaling('ntk_aware'),
  yarn: createScaling('yarn'),
  base: {
    defaultAmount: () => 100_000,
    changes: ({ amount, ...scope }) => [changeParams({ base: amount }, scope)],
    identityChanges: ({ amount, ...scope }) => [
      [changeParams({ base: 2 * amount }, scope), changeParams({ base: amount }, scope)],
      [changeParams({ base: amount }, scope)],
    ],
  },
  shift: {
    defaultAmount: () => 1000,
    changes: ({ amount, ...scope }) => [{ kind: 'shift', shift: amount, ...copyScope(scope) }],
    identityChanges: ({ amount, ...scope }) => [
      [
        { kind: 'shift', shift: amount, ...copyScope(scope) },
        { kind: 'shift', shift: -amount, ...copyScope(scope) },
      ],
      [],
    ],
  },
  reverse: {
    defaultAmount: () => undefined,
    changes: (context) => [reverseOrder(context)],
    identityChanges: (context) => [[reverseOrder(context), reverseOrder(context)], []],
  },
  layout: {
    defaultAmount: () => undefined,
    changes: (scope) => [{ kind: 'layout', ...copyScope(scope) }],
    identityChanges: (scope) => [
      [
        { kind: 'layout', ...copyScope(scope) },
        { kind: 'layout', ...copyScope(scope) },
      ],
      [],
    ],
  },
  still_slow: createPairStop((pairs, amount) => [Math.max(0, pairs - amount), pairs]),
  still_fast: createPairStop((_, amount) => [0, amount]),
  silence: {
    defaultAmount: () => undefined,
    changes: (scope) => [{ kind: 'zero_ablation', ...copyScope(scope) }],
    identityChanges: ({ layers }) => {
      const scope = layers ? { layers } : {};
      return [[{ kind: 'zero_ablation', ...scope }], [{ kind: 'skip', ...scope }]];
    },
  },
};

/**
 * Returns `amount`, or the default amount of the change if it is 0. Returns undefined for a change without an amount.
 * @throws {SpecError} if the change has no amount but one is set, or if more pairs are selected than a head has
 */
export function resolveAmount(change: ChangeId, amount: number, info: ModelInfo): number | undefined {
  const defaultAmount = CHANGE_KINDS[change].defaultAmount(info);
  if (defaultAmount === undefined && amount !== 0) throw new SpecError('amount', strings.unusedAmount(change));
  const pairs = countPairs(info);
  if (change.startsWith('still') && amount > pairs) throw new SpecError('amount', strings.tooManyPairs(amount, pairs));
  return defaultAmount === undefined || amount === 0 ? defaultAmount : amount;
}

export const createPositionChanges = (
  change: ChangeId,
  context: Omit<ChangeContext, 'amount'> & { readonly amount: number | undefined },
): Changes => CHANGE_KINDS[change].changes({ ...context, amount: context.amount ?? 0 });

export const createIdentityChanges = (
  change: ChangeId,
  context: Omit<ChangeContext, 'amount'> & { readonly amount: number | undefined },
): readonly [Changes, Changes] => CHANGE_KINDS[change].identityChanges({ ...context, amount: context.amount ?? 0 });
