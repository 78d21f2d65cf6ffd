// Every name of version 0.1 is rejected with an error that contains its replacement.
import { afterAll, describe, expect, it } from 'vitest';
import * as analysis from '../../web/engine/analysis.ts';
import { CACHE_METHODS } from '../../web/engine/call/methods.ts';
import { createPhasor } from '../../web/engine/node.ts';
import { listOldEngineNames, listOldTrainerNames, listOldWorkerNames } from '../../web/engine/request/renamed.ts';
import { createTrainer } from '../../web/engine/train.node.ts';
import { createPhasorPool, createPhasorWorker } from '../../web/engine/workers.node.ts';

const [direct, worker, pool] = [await createPhasor(), await createPhasorWorker(), await createPhasorPool({ workers: 2 })];
const trainer = await createTrainer({ task: 'order', encoding: 'rope', batchSize: 8 });
afterAll(() => {
  for (const handle of [worker, pool, trainer]) handle.dispose();
});

describe.each([
  ['an engine', direct, listOldEngineNames()],
  ['a worker', worker, listOldWorkerNames()],
  ['a pool', pool, listOldWorkerNames()],
  ['a trainer', trainer, listOldTrainerNames()],
])('%s', (_, object: object, { methods = {}, properties = {} }) => {
  const member = (name: string): unknown => object[name as never];

  it.each(Object.entries(methods))('rejects the old method %s', (name, sentence) => {
    expect(() => (member(name) as () => unknown)()).toThrow(
      expect.objectContaining({ name: 'PhasorError', code: 'unknown_name', message: `${name} ${sentence}` }),
    );
  });

  it.each(Object.entries(properties))('rejects the old property %s', (name, sentence) => {
    expect(() => member(name)).toThrow(expect.objectContaining({ code: 'unknown_name', message: `${name} ${sentence}` }));
  });

  it('has every replacement that the errors name, and lists no old name', () => {
    for (const sentence of Object.values({ ...methods, ...properties })) {
      const [, renamed, measuredNames, cacheNames] =
        /^(?:was renamed to (\w+)|is now (?:(\w+)\(engine, request\) in phasor\/analysis|cache\.(\w+)\(\w*\)))$/.exec(sentence) ?? [];
      if (measuredNames) expect(Object.keys(analysis)).toContain(measuredNames);
      else if (cacheNames) expect(Object.keys(CACHE_METHODS)).toContain(cacheNames);
      // fallbackReason is undefined without a fallback.
      else if (renamed !== 'fallbackReason') expect(member(renamed as string), sentence).toBeDefined();
    }
    for (const name of Object.keys({ ...methods, ...properties })) expect(Object.keys(object)).not.toContain(name);
  });
});

it('the old engine methods cover every function of phasor/analysis', () => {
  const newNames = Object.values(listOldEngineNames().methods ?? {}).flatMap(
    (sentence) => /^is now (\w+)\(engine/.exec(sentence)?.[1] ?? [],
  );
  expect(newNames.sort()).toEqual(Object.keys(analysis).sort());
});
