// phasor-anywidget: a figure in a notebook. Scripts in a notebook have no URL, so all data are embedded in this file.
import { base64, program } from 'virtual:embedded-wasm';
import { effect, signal } from '@preact/signals-core';
import { version } from '../../package.json';
import photographs from '../../public/data/photographs.json?url';
import index from '../../public/data/word-vectors.json?url';
import rows from '../../public/data/word-vectors-64.i8?url';
import type { Cursor } from '../charts/scene.ts';
import { messageOf, type PhasorError } from '../engine/errors.ts';
import type { RemotePhasor } from '../engine/types/api.ts';
import { createPageEngine } from '../engine/worker/page-worker.ts';
import { kinds } from '../figure/contract/all-kinds.ts';
import { createKindSource } from '../figure/contract/registry.ts';
import { PhasorFigure, shareServices } from '../figure/element/element.ts';
import { PhotographFile } from '../figure/runtime/photographs.ts';
import { PageServices } from '../figure/runtime/services.ts';
import { WordVectors } from '../sentence/word-vectors.ts';
import type { Widget, WidgetModel } from './anywidget-types.ts';
import { toSpec } from './widget-arrays.ts';

const STRINGS = {
  sameThread: (reason: string) => `Figures are computed on the page’s main thread, so the page may freeze briefly: ${reason}`,
} as const;

/** The error that prevented the engine from using a worker. Some notebooks forbid scripts from blob URLs. */
const fallbackReason = signal<PhasorError | undefined>(undefined);

async function startEngine(): Promise<RemotePhasor> {
  const packageFiles = () => [Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))];
  const engine = await createPageEngine({ program, packageFiles }, () => import('../engine/worker/same-thread.ts'));
  fallbackReason.value = engine.fallbackReason;
  return engine;
}

shareServices(
  new PageServices({
    startEngine,
    vocabulary: new WordVectors({ index, rows }),
    photographs: new PhotographFile(photographs),
    kinds: createKindSource({}, Object.values(kinds)),
  }),
);
/**
 * A separate element, because the page may define another version of <phasor-figure>. Jupyter imports this script once per widget, but the
 * element can be defined only once, possibly by another copy of the script. Effects cannot track another copy's signals, so effects on the
 * figure's signals are created by the element.
 */
class WidgetFigure extends PhasorFigure {
  /**
   * Calls `listener` with the current cursor, and again after each change.
   * @returns a function that removes the listener
   */
  followCursor(listener: (cursor: Cursor) => void): () => void {
    return effect(() => listener(this.live.value?.cursor.value ?? {}));
  }
}

/** The element with the unversioned name, possibly defined by another version of this script. */
const existingElement = customElements.get('phasor-widget') as typeof PhasorFigure | undefined;
const ELEMENT_NAME =
  !existingElement || existingElement.version === version
    ? 'phasor-widget'
    : `phasor-widget-${version.replace(/[^a-z\d]+/gi, '-').toLowerCase()}`;
if (!customElements.get(ELEMENT_NAME)) customElements.define(ELEMENT_NAME, WidgetFigure);

/** Returns the notebook's name of an axis. Axes of long sequences lose their prefix: longQuery becomes query. */
const toNotebookAxis = (axis: string): string => axis.replace(/^long([A-Z])/, (_, first: string) => first.toLowerCase());

/** Writes cursor changes to the model, at most once per frame. */
function sendCursorChanges(figure: WidgetFigure, model: WidgetModel): () => void {
  let sentCursor = '{}';
  let frame = 0;
  const stopFollowing = figure.followCursor((cursor) => {
    const axes = Object.entries(cursor).filter((axis): axis is [string, number] => typeof axis[1] === 'number');
    const notebookCursor = Object.fromEntries(axes.map(([axis, position]) => [toNotebookAxis(axis), position]));
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      if (JSON.stringify(notebookCursor) === sentCursor) return;
      sentCursor = JSON.stringify(notebookCursor);
      model.set('cursor', notebookCursor);
      model.save_changes();
    });
  });
  return () => {
    stopFollowing();
    cancelAnimationFrame(frame);
  };
}

const widget: Widget = {
  render({ model, el }) {
    const figure = document.createElement(ELEMENT_NAME) as WidgetFigure;
    const problemElement = Object.assign(document.createElement('p'), { hidden: true });
    problemElement.setAttribute('role', 'alert');
    const updateSpec = (): void => {
      try {
        figure.spec = toSpec({ spec: model.get('spec'), arrays: model.get('arrays') });
        problemElement.hidden = true;
      } catch (thrown) {
        problemElement.textContent = messageOf(thrown);
        problemElement.hidden = false;
      }
    };
    const events = ['change:spec', 'change:arrays'];
    for (const event of events) model.on(event, updateSpec);
    const noteElement = document.createElement('p');
    noteElement.setAttribute('role', 'status');
    const stopNoteEffect = effect(() => {
      const reason = fallbackReason.value;
      noteElement.hidden = reason === undefined;
      noteElement.textContent = reason ? STRINGS.sameThread(reason.message) : '';
    });
    el.append(problemElement, figure, noteElement);
    updateSpec();
    const stopSendingCursor = sendCursorChanges(figure, model);
    return () => {
      for (const event of events) model.off(event, updateSpec);
      stopSendingCursor();
      stopNoteEffect();
      noteElement.remove();
      problemElement.remove();
      figure.remove();
    };
  },
};

export default widget;
