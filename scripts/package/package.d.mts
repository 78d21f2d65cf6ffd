export function buildPackage(options?: { hasFigures?: boolean }): Promise<void>;
