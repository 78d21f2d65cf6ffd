/** The address of the site, such as https://example.org/phasor/, from PHASOR_SITE, for tags with absolute addresses. Undefined if it is not set. */
export const siteAddress = () => (process.env.PHASOR_SITE ? `${process.env.PHASOR_SITE.replace(/\/*$/, '')}/` : undefined);
