export function configureAndBuild(
  name: string,
  how?: { wasm?: boolean; options?: Record<string, string>; targets?: string[]; compiler?: string },
): Promise<string>;
