import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSecrets } from '../../platform/secrets.ts';
import { copySecrets, listFilesNotBackedUp, restoreSecrets } from './carry-secrets.ts';

describe('secrets apart from a backup', () => {
  let home: string;
  const place = (...names: string[]): string => path.join(home, ...names);
  const platform = (name: string): string => {
    readSecrets(place(name));
    mkdirSync(place(name, 'signer'));
    writeFileSync(place(name, 'signer', 'keys.json'), JSON.stringify({ hotKey: name }));
    return place(name);
  };
  beforeEach(() => {
    home = mkdtempSync(path.join(tmpdir(), 'sathorn-apart-'));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  it('are all files that a backup lacks, with the wallet’s key, and can be brought back', () => {
    const dataDir = platform('data');
    writeFileSync(path.join(dataDir, 'signer', 'budget.json'), '{}');
    const files = listFilesNotBackedUp(dataDir).map((file) => path.relative(dataDir, file));
    expect(files).toEqual(
      expect.arrayContaining(['secrets/owner.json', 'secrets/boxes.json', 'signer/keys.json', 'signer/budget.json']),
    );
    expect(copySecrets(dataDir, place('apart'))).toContain('signer-keys.json');
    copySecrets(dataDir, place('apart'));
    restoreSecrets(place('apart'), place('new'));
    expect(readSecrets(place('new'))).toEqual(readSecrets(dataDir));
    expect(readFileSync(place('new', 'signer', 'keys.json'))).toEqual(
      readFileSync(place('data', 'signer', 'keys.json')),
    );
  });

  it('are never written over those of another platform, which may be the only copy', () => {
    copySecrets(platform('data'), place('apart'));
    const before = readFileSync(place('apart', 'signer-keys.json'), 'utf8');
    expect(() => copySecrets(platform('other'), place('apart'))).toThrow('it may be the only copy of a key');
    rmSync(place('apart', 'secrets'), { recursive: true });
    expect(() => copySecrets(place('other'), place('apart'))).toThrow(/signer-keys\.json has another hotKey/);
    expect(readdirSync(place('apart'))).toEqual(['signer-keys.json']);
    expect(readFileSync(place('apart', 'signer-keys.json'), 'utf8')).toBe(before);
    copySecrets(place('other'), place('apart-2'));
    expect(() => restoreSecrets(place('apart-2'), place('data'))).toThrow('it may be the only copy of a key');
  });

  it('that are taken back leave an empty folder empty', () => {
    copySecrets(platform('data'), place('apart'));
    mkdirSync(place('new'));
    restoreSecrets(place('apart'), place('new'))();
    expect(readdirSync(place('new'))).toEqual([]);
    cpSync(place('data', 'secrets'), place('new', 'secrets'), { recursive: true });
    restoreSecrets(place('apart'), place('new'))();
    expect(readSecrets(place('new'))).toEqual(readSecrets(place('data')));
    expect(existsSync(place('new', 'signer'))).toBe(false);
  });

  it('that are damaged or missing are refused by name', () => {
    copySecrets(platform('data'), place('apart'));
    expect(() => restoreSecrets(place('nowhere'), place('new'))).toThrow(`${place('nowhere')} is missing`);
    rmSync(place('apart', 'secrets', 'boxes.json'));
    mkdirSync(place('apart', 'secrets', 'boxes.json'));
    expect(() => restoreSecrets(place('apart'), place('new'))).toThrow('boxes.json is a folder and not a file');
    expect(existsSync(place('new'))).toBe(false);
  });
});
