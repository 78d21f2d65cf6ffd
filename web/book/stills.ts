// Pictures below the first are in <noscript>, so that a browser neither builds nor decodes them while the first text of a page is
// displayed. Each is inserted before the reader reaches it, and all before printing. Their space is reserved from the start.

/**
 * A larger margin than that of live figures (web/figure/element/start-figure.ts): a still picture appears before its live one is requested.
 */
const NEAR = '200% 0px';

const placePicture = (figure: Element): void => {
  const waiting = figure.querySelector(':scope > noscript');
  // The content was written at build time, and is text while scripts are enabled.
  waiting?.replaceWith(document.createRange().createContextualFragment(waiting.textContent));
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
    { rootMargin: NEAR },
  );
  for (const figure of figures) observer.observe(figure);
  addEventListener('beforeprint', () => figures.forEach(placePicture), { once: true });
}
