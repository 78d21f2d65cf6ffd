// The control of a watched computation, and its buttons: loaded when a reader starts one.
import { html } from 'lit';
import type { WatchedPace } from '../contract/kind.ts';
import { STRINGS } from '../contract/strings.ts';
import { Pace } from '../runtime/pace.ts';

const words = { goOn: '▶ Go on', oneStep: 'Next point', stop: 'Stop' };

export function watchedPace(): WatchedPace {
  const pace = new Pace();
  const buttons =
    () => html`<button type="button" @click=${() => pace.toggle()}>${pace.isPaused.value ? words.goOn : STRINGS.pause}</button>
    <button type="button" @click=${() => pace.step()}>${words.oneStep}</button>
    <button type="button" @click=${() => pace.stop()}>${words.stop}</button>`;
  return { pace, buttons };
}
