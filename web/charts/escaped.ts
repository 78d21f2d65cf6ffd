/** A text escaped for HTML and XML, between tags and in a quoted attribute. */
export const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
