/** Where the site will be, such as https://example.org/phasor/, if the environment says so: what other sites show of it needs whole addresses. */
export const siteAddress = () => (process.env.PHASOR_SITE ? `${process.env.PHASOR_SITE.replace(/\/*$/, '')}/` : undefined);
