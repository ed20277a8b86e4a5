import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assertOwn } from './embedded-postgres.ts';

describe('a folder in a place where everybody writes', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'sathorn-own-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is ours, or not there yet', () => {
    mkdirSync(path.join(folder, 'a'));
    expect(() => assertOwn(path.join(folder, 'a'), {})).not.toThrow();
    expect(() => assertOwn(path.join(folder, 'missing'), {})).not.toThrow();
  });

  it('is not a link that somebody laid there: what it leads to would be given away', () => {
    const precious = path.join(folder, 'precious');
    mkdirSync(precious, { mode: 0o755 });
    symlinkSync(precious, path.join(folder, 'link'));
    expect(() => assertOwn(path.join(folder, 'link'), { uid: 65534, gid: 65534 })).toThrow('somebody else');
    expect(statSync(precious).mode & 0o777).toBe(0o755);
  });
});
