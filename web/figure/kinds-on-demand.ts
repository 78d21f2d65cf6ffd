// The kinds of the site: that of the first picture at once, every other when a figure needs it.
import { type KindSource, kindSource } from './kind-source.ts';
import { kind as sentence } from './kinds/sentence.ts';
import type { AnyKind } from './registry.ts';

export const kindsOnDemand: KindSource = kindSource(
  import.meta.glob<{ kind: AnyKind }>(['./kinds/*.ts', '!./kinds/*-*.ts', '!./kinds/sentence.ts']),
  [sentence as AnyKind],
);
