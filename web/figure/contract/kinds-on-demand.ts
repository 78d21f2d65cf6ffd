// The kinds of the site: that of the first picture at once, every other when a figure needs it.

import { kind as sentence } from '../kinds/sentence/index.ts';
import { type AnyKind, type KindSource, kindSource } from './registry.ts';

export const kindsOnDemand: KindSource = kindSource(
  import.meta.glob<{ kind: AnyKind }>(['../kinds/*/index.ts', '!../kinds/sentence/index.ts']),
  [sentence as AnyKind],
);
