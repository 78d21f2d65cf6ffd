// Whether a figure is near sight. Many may come near at once, each in a task of its own; those that go away do so at once.
import type { Signal } from '@preact/signals-core';
import { enqueueTask } from './task-queue.ts';

/** One screen from the edge of the window, or of what scrolls inside it, where browsers can tell (given both, they would add up). */
const NEAR = '100% 0px';
const NEARBY: IntersectionObserverInit & { readonly scrollMargin?: string } =
  'scrollMargin' in IntersectionObserver.prototype ? { scrollMargin: NEAR } : { rootMargin: NEAR };

export interface Visibility {
  watch(element: Element): void;
  /** Nothing is near from here on. */
  end(): void;
}

/** Says in `near` whether the element that is watched is near, and in `inView` whether any of it is in the window. */
export function followVisibility({ near, inView }: { readonly near: Signal<boolean>; readonly inView: Signal<boolean> }): Visibility {
  /** What the browser said last; `near` follows when its turn comes. */
  let isNear = false;
  const observer = new IntersectionObserver((entries) => {
    isNear = entries.at(-1)?.isIntersecting ?? false;
    if (!isNear) near.value = false;
    else if (!near.peek())
      enqueueTask(() => {
        near.value = isNear;
      });
  }, NEARBY);
  const inWindow = new IntersectionObserver((entries) => {
    inView.value = entries.at(-1)?.isIntersecting ?? false;
  });
  return {
    watch(element) {
      observer.observe(element);
      inWindow.observe(element);
    },
    end() {
      observer.disconnect();
      inWindow.disconnect();
      isNear = false;
      near.value = false;
      inView.value = false;
    },
  };
}
