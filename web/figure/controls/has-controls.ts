// Determines whether a figure has controls, without loading their code.
import type { AnyKind } from '../contract/registry.ts';

export const hasControls = ({ fields }: AnyKind, locked: readonly string[]): boolean =>
  Object.entries(fields).some(([name, { control }]) => control.kind !== 'none' && !locked.includes(name));
