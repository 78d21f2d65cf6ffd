// Styles for a figure's foldable parts, loaded when the first part is unfolded.
import { unsafeCSS } from 'lit';
import style from './opened.css?inline';

export const openedLook = unsafeCSS(style);
