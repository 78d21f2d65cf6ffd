/** Escapes text for HTML and XML, for use between tags and in quoted attributes. */
export const escapeMarkup = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
