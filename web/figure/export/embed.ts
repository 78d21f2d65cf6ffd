// Code that embeds a figure in another page: a script and a tag.

import { escaped } from '../../charts/escaped.ts';
import type { SpecOf } from '../contract/fields.ts';
import type { AnyKind } from '../contract/registry.ts';
import { printTag } from '../contract/spec.ts';

/**
 * Text for another page that works unchanged, or through a bundler if no shared script is known. @param script the URL of a script that defines
 * <phasor-figure>
 */
export function embedCode(kind: AnyKind, spec: SpecOf<AnyKind['fields']>, script: string | undefined): string {
  const tag = script === undefined ? ">import 'phasor/figure';</script>" : ` src="${escaped(script)}"></script>`;
  return `<script type="module"${tag}\n${printTag(kind, spec)}`;
}
