// The words before they can be dragged: a page loads the drag handlers beside the engine, and the first picture does not wait for them.
import { mountPicture } from '../../../charts/render/screen.ts';
import type { LiveFigure, Stage } from '../../contract/kind.ts';
import { drawing } from '../../runtime/scene-source.ts';
import type { fields, Numbers } from './compute.ts';
import { nextWordScene } from './picture.ts';

/** The picture of exported files, which looks the same. @returns ends it */
function picture(figure: LiveFigure<typeof fields, Numbers>, { element, width, maxHeight, look, reportError }: Stage): () => void {
  const host = document.createElement('div');
  element.append(host);
  const mounted = mountPicture(host);
  const end = drawing(() => {
    const latest = figure.partial.value ?? figure.computed.value;
    if (!latest || width.value < 40) return;
    const frame = { width: width.value, maxHeight: maxHeight.value, theme: look.value.theme };
    mounted.update(nextWordScene(latest.numbers, frame).picture, { ...look.value });
  }, reportError);
  return () => {
    end();
    mounted.dispose();
    host.remove();
  };
}

export function nextWordStage(figure: LiveFigure<typeof fields, Numbers>, stage: Stage): () => void {
  let end = picture(figure, stage);
  let isEnded = false;
  import('./surface.ts').then(({ nextWordSurface }) => {
    if (isEnded) return;
    end();
    end = nextWordSurface(figure, stage);
  }, stage.reportError);
  return () => {
    isEnded = true;
    end();
  };
}
