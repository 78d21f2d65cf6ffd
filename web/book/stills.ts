// Pictures below the first are in <noscript>, so that a browser neither builds nor decodes them while the first text of a page is displayed. Each
// picture is inserted before the reader scrolls to it, and all pictures are inserted before printing. Space for them is reserved from the start.

/**
 * The viewport margin within which still pictures are inserted: larger than that of live figures (web/figure/element/start-figure.ts), so that the
 * still picture of a figure appears before the live one is requested.
 */
const MARGIN = '200% 0px';

const placePicture = (figure: Element): void => {
  const noscript = figure.querySelector(':scope > noscript');
  // The content was written at build time; it is plain text while scripts are enabled.
  noscript?.replaceWith(document.createRange().createContextualFragment(noscript.textContent));
};

export function placePictures(): void {
  const figures = [...document.querySelectorAll('phasor-figure')].filter((figure) => figure.querySelector(':scope > noscript'));
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        placePicture(target);
      }
    },
    { rootMargin: MARGIN },
  );
  for (const figure of figures) observer.observe(figure);
  addEventListener('beforeprint', () => figures.forEach(placePicture), { once: true });
}
