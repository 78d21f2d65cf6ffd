/** Escapes a text for HTML and XML, between tags or in a quoted attribute. */
export const escapeMarkup = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
