// The styles of the foldable parts of a figure, loaded when the first part is unfolded.
import { unsafeCSS } from 'lit';
import style from './opened.css?inline';

export const openedLook = unsafeCSS(style);
