// Archives written by scripts/package, read by Python's zipfile.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { zipOf } from '../../scripts/package/zip.mjs';
import { findPython } from './python/run.ts';

const READ = `import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    print(json.dumps([[one.filename, list(archive.read(one)), list(one.date_time), one.external_attr >> 16] for one in archive.infolist()]))
`;

it('zipOf keeps the order of files, writes a fixed date, and is reproducible', () => {
  const files = [
    ['b/ö.txt', Buffer.from('a'.repeat(500))],
    ['a.bin', Buffer.from([0, 255, 10])],
    ['empty', Buffer.alloc(0)],
  ] as const;
  const folder = mkdtempSync(join(tmpdir(), 'phasor-zip-'));
  try {
    const path = join(folder, 'a.zip');
    const bytes = zipOf(files);
    writeFileSync(path, bytes);
    const { stdout, stderr } = spawnSync(findPython(), ['-c', READ, path], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual(files.map(([name, content]) => [name, [...content], [1980, 1, 1, 0, 0, 0], 0o100644]));
    expect(zipOf(files).equals(bytes)).toBe(true);
    expect(bytes.length).toBeLessThan(500);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
