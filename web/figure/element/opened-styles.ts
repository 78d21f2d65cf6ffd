// The styles of folded parts, loaded with the first of their modules.
import { unsafeCSS } from 'lit';
import style from './opened.css?inline';

export const openedLook = unsafeCSS(style);
