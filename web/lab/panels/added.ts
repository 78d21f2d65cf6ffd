// <ph-added>: what the encoding adds, and its clocks.
import { html, nothing } from 'lit';
import { addedPicture } from '../../sentence/pictures/added.ts';
import { clocksPicture, wavesOf } from '../../sentence/pictures/clocks.ts';
import { addedReadout } from '../../sentence/readout.ts';
import { type ClocksLayout, clockAt } from '../../views/clocks.ts';
import { placeCursor, point, pointed } from '../cursor.ts';
import { LabElement } from '../element.ts';
import type { PictureTask } from '../picture-host.ts';
import { figure, waiting } from '../store.ts';
import { dimensionTask, pairTask } from './pointing.ts';

const draw: PictureTask['draw'] = (frame) => figure.value && addedPicture(figure.value, placeCursor(figure.value), frame);
const byPair = pairTask(draw);
const byDimension = dimensionTask(draw);

let clocksShown: ClocksLayout | undefined;

/** Points at the first column of a wave, keeping the word. */
function pointWave(wave: number | undefined): void {
  const waves = figure.peek() && wavesOf(figure.peek() as NonNullable<typeof figure.value>);
  point({ key: pointed.peek().key, dimension: wave === undefined ? undefined : waves?.columns[wave]?.[0] });
}

/** The position that the clocks show, and whether it has changed: then the hands are animated. */
let position: number | undefined;
let positionChanged = false;

const clocksTask: PictureTask = {
  get animated() {
    return positionChanged;
  },
  draw(frame) {
    const now = figure.value;
    const cursor = now && placeCursor(now);
    const picture = now && cursor && clocksPicture(now, cursor, frame);
    const next = now && cursor && now.setting.offset + (cursor.key ?? cursor.query);
    positionChanged = next !== position;
    position = next;
    clocksShown = picture?.layout;
    return picture;
  },
  hit: (x, y) => pointWave(clocksShown && clockAt(clocksShown, x, y)),
  leave: () => point({}),
  step(columns) {
    const order = clocksShown?.order ?? [];
    const waves = figure.peek() && wavesOf(figure.peek() as NonNullable<typeof figure.value>);
    const { dimension } = pointed.peek();
    const at = order.findIndex((wave) => dimension !== undefined && waves?.columns[wave]?.includes(dimension));
    pointWave(order[Math.max(0, Math.min(order.length - 1, at + columns))]);
  },
};

export class Added extends LabElement {
  protected override render() {
    const shown = figure.value;
    if (!shown) return html`<p class="caption">${waiting.value}</p>`;
    const cursor = placeCursor(shown);
    const waves = wavesOf(shown);
    const place = cursor.key ?? cursor.query;
    return html`
      <p class="caption">${addedReadout(shown, cursor)}</p>
      <ph-picture .picture=${shown.addition.kind === 'bias' ? byPair : byDimension} .maxHeight=${waves ? 300 : 460}></ph-picture>
      ${
        waves
          ? html`<h3>Clocks of “${shown.words[shown.order[place] as number]}” at position ${shown.setting.offset + place}</h3>
            <ph-picture .picture=${clocksTask} .maxHeight=${200}></ph-picture>`
          : nothing
      }`;
  }
}
