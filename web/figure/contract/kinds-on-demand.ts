// The kinds of the site. The kind of the first picture is always included; the others are loaded when a figure needs them.

import { kind as sentence } from '../kinds/sentence/index.ts';
import { type AnyKind, createKindSource, type KindSource } from './registry.ts';

export const onDemandKindSource: KindSource = createKindSource(
  import.meta.glob<{ kind: AnyKind }>(['../kinds/*/index.ts', '!../kinds/sentence/index.ts']),
  [sentence as AnyKind],
);
