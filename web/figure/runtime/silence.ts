// Nobody can tell an engine that computes from one that the browser has ended, except by waiting.

/** How long an engine may be silent before the reader is told so, ms. */
const SILENCE = 20_000;

export interface Silence {
  /** The engine is at work, or has been heard of: the wait begins anew. */
  await(): void;
  end(): void;
}

/** @param tell gets the seconds of silence */
export function silence(tell: (seconds: number) => void): Silence {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    await() {
      clearTimeout(timer);
      timer = setTimeout(() => tell(SILENCE / 1000), SILENCE);
    },
    end: () => clearTimeout(timer),
  };
}
