// Files dropped on a figure: the changed fields, error messages, and undo.
import { signal } from '@preact/signals-core';
import type { ReactiveController, TemplateResult } from 'lit';
import { expect, it, vi } from 'vitest';
import { kinds } from '../../web/figure/contract/all-kinds.ts';
import type { AnyKind } from '../../web/figure/contract/registry.ts';
import { ElementFiles } from '../../web/figure/element/description.ts';
import { encodeNpy } from '../../web/figure/export/npy.ts';
import { FileDrop } from '../../web/figure/files/drop.ts';
import { createFigure, type Figure } from '../../web/figure/runtime/controller.ts';
import type { Services } from '../../web/figure/runtime/services.ts';

const services = {
  engine: () => new Promise(() => {}),
  vocabulary: {},
  restartCount: signal(0),
  wordRetryCount: signal(0),
  retryWords: () => {},
  joinGroup: () => ({ cursor: signal({}), changes: signal({}) }),
  release() {},
} as unknown as Services;

class Host extends EventTarget {
  dataset: { over?: string } = {};
  /** Connects the controller at once, as Lit does. */
  addController(controller: ReactiveController): void {
    controller.hostConnected?.();
  }
  removeController(): void {}
  requestUpdate(): void {}
  contains(): boolean {
    return false;
  }
}

function setUp(provided = {}, lockedFields: readonly string[] = [], kind = kinds.similarity as AnyKind) {
  const figure = createFigure(kind, { initialFields: provided, services, lockedFields });
  const host = new Host();
  const changed = vi.fn();
  const drop = new FileDrop(host as never, () => figure, changed);
  return { figure, host, changed, drop };
}

const matrix = (rows: number, columns: number) => ({
  shape: [rows, columns],
  data: Float32Array.from({ length: rows * columns }, (_, index) => index),
});
const file = (name: string, rows: number, columns: number) => new File([encodeNpy(matrix(rows, columns))], name);

const textOf = (part: unknown): string => {
  if (Array.isArray(part)) return part.map(textOf).join(' ');
  if (typeof part !== 'object' || part === null || !('strings' in part)) return typeof part === 'string' ? part : '';
  return (part as TemplateResult).values.map(textOf).join(' ');
};
const message = (drop: FileDrop, figure: Figure): string => textOf(drop.render(figure));
const goBack = (drop: FileDrop, figure: Figure): void => {
  const inner = (drop.render(figure) as TemplateResult).values.find(
    (value): value is TemplateResult => typeof value === 'object' && value !== null && 'strings' in value,
  );
  const handler = inner?.values.find((value) => typeof value === 'function') as () => void;
  handler();
};

it('shows a table from a file, reports it, and restores the previous state', async () => {
  const { figure, changed, drop } = setUp({ encoding: 'fourier sigma=2', metric: 'dot' });
  await drop.open(file('mine.npy', 5, 3));
  expect(figure.spec.value).toMatchObject({ encoding: { id: 'learned', table: matrix(5, 3) }, length: 5, dim: 3, metric: 'dot' });
  expect(changed.mock.calls.map(([, field]) => field)).toEqual(['encoding', 'length', 'dim', 'positionOffset']);
  expect(message(drop, figure)).toContain('Shown: mine.npy.');
  // Another file, then undo to the state before both.
  await drop.open(file('other.npy', 2, 2));
  expect(figure.spec.value).toMatchObject({ length: 2 });
  goBack(drop, figure);
  expect(figure.spec.value).toMatchObject({ encoding: { id: 'fourier', sigma: 2 }, length: 64, dim: 64, metric: 'dot' });
  expect(message(drop, figure)).not.toContain('Shown');
});

it.each([
  ['mine.doc', new File(['1'], 'mine.doc'), 'mine.doc: unsupported file type'],
  [
    'a cube',
    new File([encodeNpy({ shape: [1, 1, 2], data: Float32Array.of(1, 2) })], 'cube.npy'),
    'cube.npy: data is 1 × 1 × 2, not a matrix',
  ],
  ['too wide a matrix', file('wide.npy', 1, 1025), 'wide.npy: dim 1025 is outside 1 to 1,024'],
  ['no matrix', new File(['{}'], 'config.json'), 'config.json: the file contains no array of numbers'],
])('rejects %s with one message and changes nothing', async (_, input, sentence) => {
  const { figure, changed, drop } = setUp();
  const before = figure.spec.value;
  await drop.open(input);
  expect(message(drop, figure)).toContain(sentence);
  expect(figure.spec.value).toBe(before);
  expect(changed).not.toHaveBeenCalled();
  // The next file clears the error.
  await drop.open(file('mine.npy', 5, 3));
  expect(message(drop, figure)).not.toContain(sentence);
});

it('accepts a single dropped file and nothing else', async () => {
  const { figure, host, drop } = setUp();
  const event = (type: string, ...files: File[]) =>
    Object.assign(new Event(type, { cancelable: true }), {
      dataTransfer: { types: ['Files'], files, dropEffect: 'none' },
      relatedTarget: null,
    });
  const dragOver = event('dragover');
  host.dispatchEvent(dragOver);
  expect(dragOver.defaultPrevented).toBe(true);
  expect(host.dataset.over).toBe('');
  host.dispatchEvent(event('drop', file('a.npy', 1, 1), file('b.npy', 1, 1)));
  expect(host.dataset.over).toBeUndefined();
  expect(message(drop, figure)).toContain('2 files were dropped; drop one at a time');
  host.dispatchEvent(event('drop', file('a.npy', 4, 2)));
  await vi.waitFor(() => expect(figure.spec.value).toMatchObject({ length: 4 }), 120_000);
  // Dragged text is ignored.
  const text = Object.assign(new Event('dragover', { cancelable: true }), { dataTransfer: { types: ['text/plain'], files: [] } });
  host.dispatchEvent(text);
  expect(text.defaultPrevented).toBe(false);
  drop.end();
  const late = event('dragover');
  host.dispatchEvent(late);
  expect(late.defaultPrevented).toBe(false);
});

it('does not change locked fields', async () => {
  const { figure, drop } = setUp({}, ['length']);
  await drop.open(file('mine.npy', 5, 3));
  expect(figure.spec.value).toMatchObject({ length: 64, dim: 3 });
});

it('is available only while the kind accepts files', async () => {
  const { figure, host, changed, drop } = setUp();
  drop.end();
  const { accept: _, files: __, ...kind } = kinds.similarity as AnyKind;
  const otherFigure = createFigure(kind, { initialFields: {}, services, lockedFields: [] });
  let shown = figure;
  const files = new ElementFiles(host as never, () => shown, changed);
  const isTaken = (): boolean => {
    const dragOver = Object.assign(new Event('dragover', { cancelable: true }), {
      dataTransfer: { types: ['Files'], files: [], dropEffect: 'none' },
    });
    host.dispatchEvent(dragOver);
    return dragOver.defaultPrevented;
  };
  expect(textOf(files.render(figure))).toContain('Open a file…');
  expect(isTaken()).toBe(true);
  shown = otherFigure;
  expect(textOf(files.render(otherFigure))).toBe('');
  expect(isTaken()).toBe(false);
  shown = figure;
  expect(textOf(files.render(figure))).toContain('.npy, .safetensors, .csv, or .json');
  expect(isTaken()).toBe(true);
});

// Files of a language model are opened for the whole page, not as fields of the figure.
it.each(Object.entries(kinds))('%s opens files if it accepts them', (_, { accept, files, showsLanguageModel = false }) => {
  expect(files !== undefined).toBe(accept !== undefined || showsLanguageModel);
});
