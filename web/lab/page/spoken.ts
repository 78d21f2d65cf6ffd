// <ph-spoken>: announces the effect of a changed setting to screen readers. It waits until the changes stop, because a slider announces
// each of its values.
import { effect, signal } from '@preact/signals-core';
import { html } from 'lit';
import { formatId } from '../../charts/english.ts';
import { getEncodingTitle } from '../descriptions.ts';
import { LabElement } from '../element.ts';
import { CONTROL_STRINGS } from '../error-strings.ts';
import { INITIAL_STATE, type LabState } from '../state/state.ts';
import { outcome, readout, state } from '../state/store.ts';
import { SPOKEN_STRINGS as STRINGS } from '../strings.ts';
import { formatBadge } from './story.ts';

/** Delay in ms between the last change and the announcement. */
const ANNOUNCEMENT_DELAY_MS = 700;

/** Returns the settings that affect the results, by name. */
const listSettings = ({ params, mask, projections, heads, dim, positionOffset, seed }: LabState): { readonly [name: string]: unknown } => ({
  ...Object.fromEntries(Object.entries(params).map(([name, value]) => [formatId(name), value])),
  [STRINGS.mask]: mask,
  [STRINGS.projections]: projections,
  [CONTROL_STRINGS.heads]: heads,
  [CONTROL_STRINGS.dim]: dim,
  [CONTROL_STRINGS.positionOffset]: positionOffset,
  [CONTROL_STRINGS.seed]: seed,
});

/** Describes which settings changed; undefined if the change does not affect the results. */
export function findChangedSetting(previousState: LabState, newState: LabState): string | undefined {
  if (previousState.encoding !== newState.encoding) return getEncodingTitle(newState.encoding);
  const [previousSettings, settings] = [listSettings(previousState), listSettings(newState)];
  const names = [...new Set([...Object.keys(previousSettings), ...Object.keys(settings)])].filter(
    (name) => previousSettings[name] !== settings[name],
  );
  const [name, ...otherNames] = names;
  if (name === undefined) return undefined;
  const value = settings[name];
  return otherNames.length > 0 ? STRINGS.severalChanged : typeof value === 'object' ? name : `${name} ${value ?? STRINGS.resetToDefault}`;
}

export class SpokenSummary extends LabElement {
  private readonly announcement = signal('');
  private stop: () => void = () => {};

  override connectedCallback(): void {
    super.connectedCallback();
    let lastState: LabState | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const announceChange = (): void => {
      const [previousState, newState, currentOutcome] = [lastState ?? INITIAL_STATE, state.peek(), outcome.peek()];
      lastState = newState;
      const setting = findChangedSetting(previousState, newState);
      if (setting !== undefined && currentOutcome)
        this.announcement.value = STRINGS.changeAndEffect(setting, currentOutcome.isMoved ? formatBadge(currentOutcome) : readout.peek());
    };
    const stopEffect = effect(() => {
      if (!outcome.value) return;
      // The first change is compared with the state of the first results.
      lastState ??= state.peek();
      clearTimeout(timer);
      timer = setTimeout(announceChange, ANNOUNCEMENT_DELAY_MS);
    });
    this.stop = () => {
      clearTimeout(timer);
      stopEffect();
    };
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop();
  }

  protected override render() {
    return html`<p class="visually-hidden" role="status">${this.announcement.value}</p>`;
  }
}
