// <ph-change>: the change of each word's output.
import { html } from 'lit';
import { changePicture } from '../../sentence/pictures/change.ts';
import { barAt, type OutputChangeLayout } from '../../views/output-change.ts';
import { choose, placeCursor, point, pointed } from '../cursor.ts';
import { LabElement } from '../element.ts';
import type { PictureTask } from '../picture-host.ts';
import { figure, waiting } from '../store.ts';
import { badgeText } from '../story.ts';

let layout: OutputChangeLayout | undefined;

const pointPlace = (place: number | undefined): void => point({ key: place === undefined ? undefined : figure.peek()?.order[place] });

const task: PictureTask = {
  draw(frame) {
    const picture = figure.value && changePicture(figure.value, placeCursor(figure.value), frame);
    layout = picture?.layout;
    return picture;
  },
  hit: (_, y) => pointPlace(layout && barAt(layout, y)),
  pick: () => choose(pointed.peek().key),
  leave: () => point({}),
  step(_, rows) {
    const now = figure.peek();
    if (!now) return;
    const { key, query } = placeCursor(now);
    pointPlace(Math.max(0, Math.min(now.order.length - 1, key === undefined ? query : key + rows)));
  },
};

export class Change extends LabElement {
  protected override render() {
    const shown = figure.value;
    if (!shown) return html`<p class="caption">${waiting.value}</p>`;
    // Do not list zeros for many words.
    const listed = shown.isMoved || shown.words.length <= 12;
    return html`
      <p class="caption">${
        shown.isMoved ? `After undoing the permutation: ${badgeText(shown)}.` : 'Drag a word to see how each word’s output changes.'
      }</p>
      <div class="scrolling" ?hidden=${!listed}><ph-picture .picture=${task}></ph-picture></div>`;
  }
}
