import { unsafeCSS } from 'lit';
import style from './opened.css?inline';

export const openedStyles = unsafeCSS(style);
