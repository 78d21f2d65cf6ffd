// Styles of a figure that is rendered into a page's HTML. They apply before any script runs.
import { HOST_COLORS } from '../figure/contract/theme.ts';
import style from '../figure/element/element.css?inline';
import opened from '../figure/element/opened.css?inline';
import below from '../figure/words/show.css?inline';
import standing from './figure-tag.css?inline';

export const FIGURE_STYLE = `${HOST_COLORS}${style}${opened}${standing}`;
export const BELOW_STYLE = below;
