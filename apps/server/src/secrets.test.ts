import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginKeyChange, endKeyChange, readSecrets } from './secrets.ts';

describe('the keys of a deployment', () => {
  let folder: string;
  const file = (): string => path.join(folder, 'secrets.json');

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'sathorn-secrets-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('are created once, readable by nobody else, and stay the same afterwards', () => {
    const dataDir = path.join(folder, 'data');
    const secrets = readSecrets(dataDir);
    expect(new Set(Object.values(secrets).map((key) => key.toString('hex'))).size).toBe(Object.keys(secrets).length);
    expect(Object.values(secrets).every((key) => key.length === 32)).toBe(true);
    expect(statSync(path.join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(statSync(dataDir).mode & 0o066).toBe(0);
    expect(readdirSync(dataDir)).toEqual(['secrets.json']);
    expect(readSecrets(dataDir)).toEqual(secrets);
  });

  it('are the same for all servers that start at once', async () => {
    const program = `import('${path.join(import.meta.dirname, 'secrets.ts')}').then(({ readSecrets }) => console.log(readSecrets(process.argv[1]).pepper.toString('hex')))`;
    const starts = Array.from({ length: 8 }, () => promisify(execFile)(process.execPath, ['-e', program, folder]));
    const peppers = (await Promise.all(starts)).map(({ stdout }) => stdout.trim());
    expect(new Set(peppers)).toEqual(new Set([readSecrets(folder).pepper.toString('hex')]));
    expect(readdirSync(folder)).toEqual(['secrets.json']);
  });

  it('are not created again when files were encrypted with lost ones', () => {
    mkdirSync(path.join(folder, 'postgres'));
    expect(() => readSecrets(folder)).toThrow('restore it from its backup');
    expect(readdirSync(folder)).toEqual(['postgres']);
  });

  it('are not created again when the file is damaged', () => {
    readSecrets(folder);
    const whole = readFileSync(file(), 'utf8');
    for (const damaged of ['', whole.slice(0, 100), '[]x', 'null', whole.replace(/"pepper": "../, '"pepper": "zz')]) {
      writeFileSync(file(), damaged);
      expect(() => readSecrets(folder)).toThrow('is damaged');
      expect(readFileSync(file(), 'utf8')).toBe(damaged);
    }
  });

  it('gain the key that a newer version needs, and lose none', () => {
    const { indexKey, ...others } = readSecrets(folder);
    const kept = JSON.parse(readFileSync(file(), 'utf8')) as Record<string, string>;
    const { indexKey: _, ...older } = kept;
    writeFileSync(file(), JSON.stringify({ ...older, ofALaterVersion: 'ab'.repeat(32) }));
    chmodSync(file(), 0o644);
    const secrets = readSecrets(folder);
    expect(secrets).toMatchObject(others);
    expect(secrets.indexKey).toHaveLength(32);
    expect(secrets.indexKey).not.toEqual(indexKey);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toHaveProperty('ofALaterVersion');
  });

  it('change a key only after the next one is stored, and keep the same next one until then', () => {
    const before = readSecrets(folder);
    const next = beginKeyChange(folder, 'receiptKey');
    expect(beginKeyChange(folder, 'receiptKey')).toEqual(next);
    expect(readSecrets(folder)).toEqual(before);
    endKeyChange(folder, 'receiptKey');
    expect(readSecrets(folder)).toEqual({ ...before, receiptKey: next });
    endKeyChange(folder, 'receiptKey');
    expect(readSecrets(folder).receiptKey).toEqual(next);
    expect(beginKeyChange(folder, 'receiptKey')).not.toEqual(next);
  });
});
