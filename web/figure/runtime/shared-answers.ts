// Figures of a page follow the same slider, and some then ask for the same at the same time, such as the outputs of a sentence before and after its
// words have moved: what is under way is not computed again.
import type { RemotePhasor } from '../../engine/index.ts';

/** A value of its own: what is compared later must be as it was asked for. */
function copied(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Float32Array) return value.slice();
  if (Array.isArray(value)) return value.map(copied);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, copied(part)]));
}

/** Whether two requests are the same in all they say. */
function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Float32Array && b instanceof Float32Array)
    return a.length === b.length && a.every((value, at) => Object.is(value, b[at]));
  const names = Object.keys(a);
  const parts = (of: object, name: string): unknown => (of as { readonly [name: string]: unknown })[name];
  return (
    Array.isArray(a) === Array.isArray(b) &&
    a instanceof Float32Array === b instanceof Float32Array &&
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSame(parts(a, name), parts(b, name)))
  );
}

/** Asks once for what is asked for while it is under way; everyone has an answer of their own. */
export function askedOnce<Request, Answer>(ask: (request: Request) => Promise<Answer>): (request: Request) => Promise<Answer> {
  const underWay = new Set<{ readonly request: unknown; readonly answer: Promise<Answer> }>();
  return (request) => {
    const known = [...underWay].find((one) => isSame(one.request, request));
    if (known) return known.answer.then((answer) => structuredClone(answer));
    const asked = { request: copied(request), answer: (async () => ask(request))() };
    underWay.add(asked);
    const end = (): void => {
      underWay.delete(asked);
    };
    asked.answer.then(end, end);
    return asked.answer;
  };
}

/** The engine as figures of a page share it. */
export const sharedEngine = (engine: RemotePhasor): RemotePhasor => ({
  ...engine,
  reorder: askedOnce((request: Parameters<RemotePhasor['reorder']>[0]) => engine.reorder(request)) as RemotePhasor['reorder'],
});
