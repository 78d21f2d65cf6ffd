// The kinds of the site: the kind of the first picture is included, others are loaded when a figure needs them.

import { kind as sentence } from '../kinds/sentence/index.ts';
import { type AnyKind, type KindSource, kindSource } from './registry.ts';

export const kindsOnDemand: KindSource = kindSource(
  import.meta.glob<{ kind: AnyKind }>(['../kinds/*/index.ts', '!../kinds/sentence/index.ts']),
  [sentence as AnyKind],
);
