import type { Picture } from '../../charts/picture.ts';
import { mountPicture } from '../../charts/render/screen.ts';
import type { Frame } from '../../charts/scene.ts';
import type { FieldTable, SpecOf } from '../contract/fields.ts';
import type { LiveFigure, SurfaceContainer } from '../contract/kind.ts';
import { drawOnChange } from '../runtime/scene-source.ts';

/** Draws the words as a static picture until the code for dragging them is loaded. The picture looks the same as the tiles. */
export const createWordsStage =
  <Fields extends FieldTable, Results>(
    drawPicture: (results: Results, spec: SpecOf<Fields>, frame: Frame) => Picture,
    loadSurface: () => Promise<(figure: LiveFigure<Fields, Results>, stage: SurfaceContainer) => () => void>,
  ) =>
  (figure: LiveFigure<Fields, Results>, stage: SurfaceContainer): (() => void) => {
    const { element, width, maxHeight, look, reportError } = stage;
    const host = document.createElement('div');
    element.append(host);
    const mountedPicture = mountPicture(host);
    const endDrawing = drawOnChange(() => {
      const latestResult = figure.partial.value ?? figure.computed.value;
      if (!latestResult || width.value < 40) return;
      const frame = { width: width.value, maxHeight: maxHeight.value, theme: look.value.theme };
      mountedPicture.update(drawPicture(latestResult.results, latestResult.spec, frame), { ...look.value });
    }, reportError);
    let endSurface = (): void => {
      endDrawing();
      mountedPicture.dispose();
      host.remove();
    };
    let isEnded = false;
    loadSurface().then((surface) => {
      if (isEnded) return;
      endSurface();
      endSurface = surface(figure, stage);
    }, reportError);
    return () => {
      isEnded = true;
      endSurface();
    };
  };
