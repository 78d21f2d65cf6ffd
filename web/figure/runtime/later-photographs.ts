// Photographs of a page whose figures may show none: their reader comes with the kinds that show them, which import it themselves.
import type { Photographs } from './photographs.ts';

/** @param address of the file of photographs */
export function laterPhotographs(address: string | URL): Photographs {
  let file: Photographs | undefined;
  return {
    async shades(name) {
      const { PhotographFile } = await import('./photographs.ts');
      file ??= new PhotographFile(address);
      return file.shades(name);
    },
  };
}
