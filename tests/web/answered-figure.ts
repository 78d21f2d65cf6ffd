// A figure without a page whose computations the test resolves.
import { signal } from '@preact/signals-core';
import { sceneWithoutCursor } from '../../web/charts/scene.ts';
import type { RemotePhasor } from '../../web/engine/index.ts';
import { choice, count, encoding, FieldError, text } from '../../web/figure/contract/fields.ts';
import type { KindContext } from '../../web/figure/contract/kind.ts';
import type { AnyKind } from '../../web/figure/contract/registry.ts';
import { createFigure, type FigureOptions } from '../../web/figure/runtime/controller.ts';
import { createLinkGroup } from '../../web/figure/runtime/link-group.ts';

interface Call {
  readonly spec: { readonly [name: string]: unknown };
  readonly context: KindContext;
  answer(results: unknown): Promise<void>;
  refuse(error: unknown): Promise<void>;
}

export const flushPromises = async (): Promise<void> => {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
};

export const plainServices = {
  vocabulary: {} as never,
  photographs: {} as never,
  restartCount: signal(0),
  wordRetryCount: signal(0),
  retryWords: () => {},
  restart: () => {},
  joinGroup: createLinkGroup,
  leaveGroup: () => {},
  release: () => {},
};

/** Creates a figure and records its computations. */
export function createAnsweredFigure(
  options: Partial<FigureOptions> = {},
  engine: () => Promise<RemotePhasor> = async () => ({ encodings: [] }) as never,
) {
  const calls: Call[] = [];
  const kind: AnyKind = {
    id: 'fake',
    question: '',
    instruction: '',
    caption: '',
    fields: {
      encoding: encoding('rope'),
      text: text('a b', (words) => {
        if (words === '') throw new FieldError('there are no words');
      }),
      length: count(4, 1, 9),
      measure: choice('cosine', 'dot'),
    },
    compute: (spec, means) =>
      new Promise((resolve, reject) => {
        calls.push({
          spec,
          context: means,
          answer: (results) => {
            resolve(results);
            return flushPromises();
          },
          refuse: (error) => {
            reject(error);
            return flushPromises();
          },
        });
      }),
    scene: () => sceneWithoutCursor({ width: 1, height: 1, title: '', description: '', rasters: [], marks: [] }),
    readout: () => '',
    proof: () => ({ quantity: '', residual: 0, tolerance: 0, toleranceSource: '', conclusion: '' }),
    tables: () => [],
    loadPrograms: async () => ({ code: () => ({ python: '', phasor: '', data: {} }) }),
  };
  const services = { ...plainServices, engine };
  const figure = createFigure(kind, { services, ...options });
  return { figure, calls };
}

/** Creates a figure whose first computation has resolved. */
export async function createShownFigure(options: Partial<FigureOptions> = {}) {
  const fixture = createAnsweredFigure(options);
  fixture.figure.isActive.value = true;
  await flushPromises();
  await fixture.calls[0]?.answer('first');
  return fixture;
}
