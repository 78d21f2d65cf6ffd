// What brings a figure into another page: a script and a tag.
import type { SpecOf } from '../fields.ts';
import type { AnyKind } from '../registry.ts';
import { printTag } from '../spec.ts';

const here = import.meta.url;

/** The script of <phasor-figure>: this one where the page has it from the package; the copy that the site has for others. */
export const scriptAt = (address: string): string | undefined => {
  if (/^https?:.*\/assets\/[^/]+\.js$/.test(address)) return new URL('../embed/figure.js', address).href;
  return /^https?:.*\/figure\.js$/.test(address) ? address : undefined;
};

/** Text for another page that works as it stands, or through a bundler where this script has no address that others could use. */
export function embedCode(kind: AnyKind, spec: SpecOf<AnyKind['fields']>, address = here): string {
  const source = scriptAt(address);
  const script = source ? ` src="${source}"></script>` : ">import 'phasor/figure';</script>";
  return `<script type="module"${script}\n${printTag(kind, spec)}`;
}
