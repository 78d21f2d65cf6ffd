// Styles for the collapsible parts of a figure. They are loaded when the first part is opened.
import { unsafeCSS } from 'lit';
import style from './opened.css?inline';

export const openedStyles = unsafeCSS(style);
