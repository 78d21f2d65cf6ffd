// For figures and their workers, in the place of web/engine/handles.ts: a figure keeps nothing in its engine (scripts/site/worker-source.mjs).
import type * as handles from '../engine/handles.ts';

export const newNumber: typeof handles.newNumber = () => 0;
export const newHandle: typeof handles.newHandle = () => {
  throw new Error('a figure keeps nothing in its engine');
};
export const handleName: typeof handles.handleName = () => undefined;
export const handleField: typeof handles.handleField = () => undefined;
