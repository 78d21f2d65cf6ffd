// Selects encodings and projections. Selecting an encoding restores its previous parameters.
import type { EncodingInfo, Injection, Params } from '../../engine/index.ts';
import { fitsTrainedModel, hasLearnedToCopy, TRAINED_SETTINGS } from '../../figure/compute/trained-layer.ts';
import { INJECTION_GROUPS, type InjectionGroup } from '../../figure/controls/injection-groups.ts';
import { tokenize } from '../../sentence/tokens.ts';
import { findDescription } from '../descriptions.ts';
import { INITIAL_STATE, type LabState } from '../state/state.ts';
import { change, encodingId, engine, state, words } from '../state/store.ts';
import { isSite } from './is-site.ts';

/** Parameters of previously selected encodings, restored when an encoding is selected again. */
const previousParams = new Map<string, Params>();

export function chooseEncoding(id: string): void {
  previousParams.set(state.peek().encoding, state.peek().params);
  change({ encoding: id, params: previousParams.get(id) ?? {}, ...settingsForEncoding(id) }, 'encoding');
}

const UNTRAINED_SETTINGS: Partial<LabState> = {
  projections: INITIAL_STATE.projections,
  mask: INITIAL_STATE.mask,
  heads: INITIAL_STATE.heads,
};

/**
 * Selects the trained model if it has learned to copy with this encoding, because most words in untrained heads attend to themselves.
 * Settings that the user has changed are kept.
 */
function settingsForEncoding(id: string): Partial<LabState> {
  const { encoding: previousEncoding, projections, mask, heads } = state.peek();
  const canUseModel = isSite() && hasLearnedToCopy(id) && fitsTrainedModel(words.peek());
  if (projections === 'trained') return canUseModel ? {} : UNTRAINED_SETTINGS;
  const hasInitialSettings = projections === INITIAL_STATE.projections && mask === INITIAL_STATE.mask && heads === INITIAL_STATE.heads;
  return canUseModel && hasInitialSettings && !hasLearnedToCopy(previousEncoding) ? TRAINED_SETTINGS : {};
}

/** Returns the settings for new text. Deselects the trained model if it does not support the text. */
export const settingsForText = (text: string): Partial<LabState> =>
  state.peek().projections === 'trained' && !fitsTrainedModel(tokenize(text)) ? UNTRAINED_SETTINGS : {};

/** Returns settings that deselect the trained model, for values that it does not support, such as eight heads. */
export const settingsWithoutModel = (): Partial<LabState> => (state.peek().projections === 'trained' ? UNTRAINED_SETTINGS : {});

/** Selects projections. Deselecting the trained model resets the settings that it required. */
export const chooseProjections = (projections: LabState['projections']): void => {
  if (projections === 'trained') change(TRAINED_SETTINGS, 'projections');
  else change({ ...settingsWithoutModel(), projections }, 'projections');
};

const getRank = ({ id }: EncodingInfo): number => findDescription(id)?.rank ?? Number.POSITIVE_INFINITY;

/**
 * Returns the encodings of a group. Encodings for images and encodings with token tensors are only included if they
 * are selected.
 */
export const listMembers = (encodings: readonly EncodingInfo[], injection: Injection): EncodingInfo[] =>
  encodings
    .filter((info) => info.injection === injection && ((info.axes === 1 && info.tokens.length === 0) || info.id === encodingId.value))
    .sort((a, b) => getRank(a) - getRank(b));

/** Groups all encodings by injection point. Empty groups are omitted. */
export const groupEncodings = (): (InjectionGroup & { readonly members: readonly EncodingInfo[] })[] =>
  INJECTION_GROUPS.map((group) => ({ ...group, members: listMembers(engine.value?.encodings ?? [], group.injection) })).filter(
    ({ members }) => members.length > 0,
  );
