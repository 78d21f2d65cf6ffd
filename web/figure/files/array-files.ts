/** The endings of files of arrays. */
export const ARRAY_FILES: readonly string[] = ['.npy', '.safetensors', '.json'];
