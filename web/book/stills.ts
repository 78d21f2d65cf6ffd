// Pictures below the first are kept in <noscript>, where a browser neither builds nor decodes them while the first words of a page are shown. Each
// takes its place before its reader comes there, and all of them before the page is printed. Their room is theirs from the beginning.

/** Farther than figures that come alive (web/figure/element/start-figure.ts): a still picture is shown before its live one is requested. */
const NEAR = '200% 0px';

const placePicture = (figure: Element): void => {
  const waiting = figure.querySelector(':scope > noscript');
  // Written when the book was made, and text as long as scripts run.
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
