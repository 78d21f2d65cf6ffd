// Renders the pause, step and stop buttons of a long computation.
import { html } from 'lit';
import type { PaceControls } from '../contract/kind.ts';
import { STRINGS } from '../contract/strings.ts';
import { Pace } from '../runtime/pace.ts';

const buttonLabels = { goOn: '▶ Go on', oneStep: 'Next point', stop: 'Stop' };

export function watchedPace(): PaceControls {
  const pace = new Pace();
  const buttons =
    () => html`<button type="button" @click=${() => pace.toggle()}>${pace.isPaused.value ? buttonLabels.goOn : STRINGS.pause}</button>
    <button type="button" @click=${() => pace.step()}>${buttonLabels.oneStep}</button>
    <button type="button" @click=${() => pace.stop()}>${buttonLabels.stop}</button>`;
  return { pace, buttons };
}
