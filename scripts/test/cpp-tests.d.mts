export function buildNativeTests(targets: string[]): Promise<{ program: (name: string) => string[] }>;
