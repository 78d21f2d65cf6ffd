// Unpacks the program of a page that is one file, and starts it. Until then, and where that cannot be, its figures are pictures, and a sentence
// says why.
import { unpack } from './unpack.ts';

async function start(): Promise<void> {
  const script = document.createElement('script');
  script.textContent = await unpack('program').text();
  document.head.append(script);
}

export function startProgram(): void {
  const say = (why: string): void => {
    (document.getElementById('state') as HTMLElement).textContent = `${why}, so the figures on this page are pictures and do not answer.`;
  };
  // Browsers have had it since 2023, and since then WebAssembly with SIMD too.
  if (typeof DecompressionStream === 'undefined')
    say('This browser cannot unpack the program in this file (it has no DecompressionStream)');
  else start().catch((thrown: unknown) => say(`The program in this file could not be unpacked (${thrown})`));
}
