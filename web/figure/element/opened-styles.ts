// The style of parts that a reader opens, fetched with the first of their programs.
import { unsafeCSS } from 'lit';
import style from './opened.css?inline';

export const openedLook = unsafeCSS(style);
