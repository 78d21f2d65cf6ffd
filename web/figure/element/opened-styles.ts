// Styles for a figure's collapsible parts, loaded when the first part is opened.
import { unsafeCSS } from 'lit';
import style from './opened.css?inline';

export const openedStyles = unsafeCSS(style);
