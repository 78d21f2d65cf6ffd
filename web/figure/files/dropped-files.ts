// The files that were dropped, and those of dropped folders.

/** The entries of a folder, which browsers list in parts. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return all;
    all.push(...batch);
  }
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> => new Promise((resolve, reject) => entry.file(resolve, reject));

/** The files of a dropped item; of a folder those directly in it. */
async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile) return [await fileOf(entry as FileSystemFileEntry)];
  const inside = await entriesOf(entry as FileSystemDirectoryEntry);
  return Promise.all(inside.filter(({ isFile }) => isFile).map((one) => fileOf(one as FileSystemFileEntry)));
}

/** Must be called in the event of the drop: afterwards its items are gone. */
export async function droppedFiles({ items, files }: DataTransfer): Promise<readonly File[]> {
  const entries = Array.from(items, (item) => item.webkitGetAsEntry?.()).filter((entry) => entry != null);
  // A synthetic event has files without entries.
  if (entries.length === 0) return [...files];
  return (await Promise.all(entries.map(filesOf))).flat();
}
