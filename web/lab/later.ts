// What comes after the first picture: all of the page that is not the sentence and what is said about it. Its height is reserved (styles/room.css).
import { oneByOne } from '../figure/one-by-one.ts';
import { About } from './about.ts';
import { Check } from './check.ts';
import { Controls } from './controls.ts';
import { loadDescriptions } from './descriptions.ts';
import { Editor } from './editor.ts';
import { define } from './element.ts';
import { Notes } from './figure-notes.ts';
import { Guide } from './guide.ts';
import { Engine, Keys, Tools } from './header-footer.ts';
import { reportPageError } from './page-error.ts';
import { Rail } from './rail.ts';
import { SaveFile } from './save-file.ts';
import { Strip } from './strip.ts';
import './styles/later.css';
import { Views } from './views.ts';

/** In the order of the page. */
const ELEMENTS: readonly [name: string, type: CustomElementConstructor][] = [
  ['ph-tools', Tools],
  ['ph-strip', Strip],
  ['ph-editor', Editor],
  ['ph-rail', Rail],
  ['ph-about', About],
  ['ph-controls', Controls],
  ['ph-guide', Guide],
  ['ph-views', Views],
  ['ph-notes', Notes],
  ['ph-keys', Keys],
  ['ph-engine', Engine],
  ['ph-check', Check],
  ['ph-save', SaveFile],
];

/** Defines the rest of the page, a task for each element, so that the page answers between them. */
export function defineLater(): void {
  void loadDescriptions().catch(reportPageError);
  for (const [name, type] of ELEMENTS) oneByOne(() => define(name, type));
}
