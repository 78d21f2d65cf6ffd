/** Where the site will be, such as https://example.org/phasor/, from the environment: share tags need absolute addresses. */
export const siteAddress = () => (process.env.PHASOR_SITE ? `${process.env.PHASOR_SITE.replace(/\/*$/, '')}/` : undefined);
