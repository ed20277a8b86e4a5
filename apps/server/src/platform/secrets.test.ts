import { execFile } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginKeyChange, endKeyChange, readSecret, readSecrets, secretsOf, splitSecretsSteps } from './secrets.ts';

const modeOf = (file: string): number => statSync(file).mode & 0o777;

describe('the keys of a deployment', () => {
  let folder: string;
  const file = (name: string): string => path.join(folder, 'secrets', `${name}.json`);
  const keysOf = (name: string): Record<string, string> =>
    JSON.parse(readFileSync(file(name), 'utf8')) as Record<string, string>;
  const filesOf = (): string[] => readdirSync(path.join(folder, 'secrets')).sort();

  /** A folder as an older version left it: every key in one file. */
  const old = (more: Record<string, string> = {}): Record<string, string> => {
    const names = Object.keys(readSecrets(path.join(folder, 'elsewhere')));
    const keys = Object.fromEntries(names.map((name, n) => [name, (n + 16).toString(16).padStart(2, '0').repeat(32)]));
    rmSync(path.join(folder, 'elsewhere'), { recursive: true });
    writeFileSync(path.join(folder, 'secrets.json'), JSON.stringify({ ...keys, ...more }), { mode: 0o644 });
    mkdirSync(path.join(folder, 'postgres'));
    return { ...keys, ...more };
  };
  const hex = (secrets: Readonly<Record<string, Buffer>>): Record<string, string> =>
    Object.fromEntries(Object.entries(secrets).map(([name, key]) => [name, key.toString('hex')]));
  const startAtOnce = async (): Promise<Record<string, string>[]> => {
    const program = `import('${path.join(import.meta.dirname, 'secrets.ts')}').then(({ readSecrets }) => console.log(JSON.stringify(Object.fromEntries(Object.entries(readSecrets(process.argv[1])).map(([name, key]) => [name, key.toString('hex')])))))`;
    const starts = Array.from({ length: 8 }, () => promisify(execFile)(process.execPath, ['-e', program, folder]));
    return (await Promise.all(starts)).map(({ stdout }) => JSON.parse(stdout) as Record<string, string>);
  };

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'sathorn-secrets-'));
  });
  afterEach(() => {
    delete process.env.SECRETS_DIR;
    rmSync(folder, { recursive: true, force: true });
  });

  it('are created once, one file per power, readable by nobody else, and stay the same afterwards', () => {
    const dataDir = path.join(folder, 'data');
    const secrets = readSecrets(dataDir);
    expect(new Set(Object.values(secrets).map((key) => key.toString('hex'))).size).toBe(Object.keys(secrets).length);
    expect(Object.values(secrets).every((key) => key.length === 32)).toBe(true);
    expect(statSync(dataDir).mode & 0o066).toBe(0);
    expect(modeOf(path.join(dataDir, 'secrets'))).toBe(0o700);
    for (const name of readdirSync(path.join(dataDir, 'secrets')))
      expect(modeOf(path.join(dataDir, 'secrets', name)), name).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual(['secrets']);
    expect(readSecrets(dataDir)).toEqual(secrets);
    expect(readSecret(dataDir, 'databaseOwner')).toEqual(secrets.databaseOwner);
  });

  it('are split by power: a reader of one file gets none of the other keys', () => {
    readSecrets(folder);
    const powers = Object.fromEntries(
      filesOf()
        .filter((name) => name.endsWith('.json') && name !== 'names.json')
        .map((name) => [name, Object.keys(keysOf(name.replace('.json', ''))).sort()]),
    );
    expect(powers).toMatchObject({
      'boxes.json': ['boxKey'],
      'checker.json': ['databaseChecker'],
      'credentials.json': ['accountSalt', 'pepper', 'sessionKey'],
      'identity.json': ['filesKey', 'identityKey', 'pushKey'],
      'index.json': ['databaseIndex', 'indexKey', 'simSeed'],
      'log.json': ['databaseLog'],
      'orders.json': ['orderKey'],
      'owner.json': ['databaseOwner'],
      'payouts.json': ['payoutKey'],
      'practice.json': ['practiceKey'],
      'receipts.json': ['receiptKey'],
      'signer.json': ['databaseSigner'],
      'watch.json': ['watchKey'],
    });
  });

  it('reach a process only if its work needs them', () => {
    const secrets = readSecrets(folder);
    const edge = Object.keys(secretsOf('edge', secrets));
    for (const foreign of [
      'boxKey',
      'payoutKey',
      'indexKey',
      'simSeed',
      'databaseOwner',
      'databaseIndex',
      'databaseSigner',
      'databaseLog',
      'watchKey',
    ])
      expect(edge).not.toContain(foreign);
    expect(Object.keys(secretsOf('index', secrets)).sort()).toEqual(['indexKey', 'simSeed']);
    expect(Object.keys(secretsOf('settler', secrets))).toEqual(['boxKey', 'payoutKey']);
    expect(Object.keys(secretsOf('watcher', secrets))).toEqual(['watchKey']);
  });

  it('are the same for all servers that start at once', async () => {
    const all = await startAtOnce();
    for (const one of all) expect(one).toEqual(hex(readSecrets(folder)));
  });

  it('are not created again when files were encrypted with lost ones', () => {
    mkdirSync(path.join(folder, 'postgres'));
    expect(() => readSecrets(folder)).toThrow('restore it from its backup');
    rmSync(path.join(folder, 'postgres'), { recursive: true });
    readSecrets(folder);
    rmSync(file('receipts'));
    expect(() => readSecrets(folder)).toThrow('receipts.json is missing, and files of this platform need it');
    expect(existsSync(file('receipts'))).toBe(false);
  });

  it.each(['database-is-in', 'newest-kept.json', 'checker-keys.json'])(
    'are not created again where a server ran, of which only %s is left',
    (name) => {
      writeFileSync(path.join(folder, name), '');
      expect(() => readSecrets(folder)).toThrow('restore it from its backup');
      expect(existsSync(file('owner'))).toBe(false);
    },
  );

  it('are not created again if a database or a backup knows them, but a newer key is', () => {
    expect(() => readSecrets(folder, { existed: ['boxKey', 'pepper'] })).toThrow('credentials.json is missing');
    expect(filesOf().filter((name) => name.endsWith('.json'))).toEqual([]);
    readSecrets(folder, { existed: ['ofALaterVersion'] });
  });

  it('are not created again when a file is damaged', () => {
    readSecrets(folder);
    const whole = readFileSync(file('credentials'), 'utf8');
    for (const damaged of [
      '',
      whole.slice(0, 100),
      '[]',
      '[]x',
      'null',
      whole.replace(/"pepper": "../, '"pepper": "zz'),
    ]) {
      writeFileSync(file('credentials'), damaged);
      expect(() => readSecrets(folder)).toThrow('is damaged');
      expect(readFileSync(file('credentials'), 'utf8')).toBe(damaged);
    }
  });

  it('gain the key that a newer version needs, and lose none', () => {
    const { boxKey, pepper, ...others } = readSecrets(folder);
    rmSync(file('boxes'));
    const { pepper: _, ...older } = keysOf('credentials');
    writeFileSync(file('credentials'), JSON.stringify({ ...older, ofALaterVersion: 'ab'.repeat(32) }));
    const known = (JSON.parse(readFileSync(file('names'), 'utf8')) as string[]).filter(
      (name) => name !== 'boxKey' && name !== 'pepper',
    );
    writeFileSync(file('names'), JSON.stringify(known));
    chmodSync(file('credentials'), 0o644);
    mkdirSync(path.join(folder, 'postgres'));
    const secrets = readSecrets(folder);
    expect(secrets).toMatchObject(others);
    expect(secrets.boxKey).toHaveLength(32);
    expect(secrets.boxKey).not.toEqual(boxKey);
    expect(secrets.pepper).not.toEqual(pepper);
    expect(modeOf(file('credentials'))).toBe(0o600);
    expect(keysOf('credentials')).toHaveProperty('ofALaterVersion');
    expect(readSecrets(folder)).toEqual(secrets);
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

  it('of an older version are split once, with a copy before and a line that says to move it away', () => {
    const keys = old({ receiptKeyNext: 'ee'.repeat(32), ofALaterVersion: 'dd'.repeat(32) });
    const before = readFileSync(path.join(folder, 'secrets.json'), 'utf8');
    expect(readSecret(folder, 'databaseOwner').toString('hex')).toBe(keys.databaseOwner);
    const lines: string[] = [];
    const secrets = readSecrets(folder, { print: (line) => lines.push(line) });
    expect({ ...keys, ...hex(secrets) }).toEqual(keys);
    expect(existsSync(path.join(folder, 'secrets.json'))).toBe(false);
    expect(readFileSync(path.join(folder, 'secrets.json.before-split'), 'utf8')).toBe(before);
    expect(modeOf(path.join(folder, 'secrets.json.before-split'))).toBe(0o600);
    expect(lines.join('\n')).toContain('Please move');
    expect(keysOf('others')).toEqual({ ofALaterVersion: 'dd'.repeat(32) });
    expect(beginKeyChange(folder, 'receiptKey').toString('hex')).toBe('ee'.repeat(32));
    const again: string[] = [];
    expect(readSecrets(folder, { print: (line) => again.push(line) })).toEqual(secrets);
    expect(again).toEqual([expect.stringContaining('Please move')]);
  });

  it('of an older version are split after a crash at each step', () => {
    const keys = old();
    const steps = splitSecretsSteps(folder).length;
    expect(steps).toBeGreaterThan(8);
    for (let done = 0; done <= steps; done++) {
      const at = path.join(folder, `after ${done}`);
      mkdirSync(path.join(at, 'postgres'), { recursive: true });
      mkdirSync(path.join(at, 'secrets'), { mode: 0o700 });
      copyFileSync(path.join(folder, 'secrets.json'), path.join(at, 'secrets.json'));
      for (const step of splitSecretsSteps(at).slice(0, done)) step();
      writeFileSync(path.join(at, 'secrets', `index.json.${crypto.randomUUID()}`), '{"half');
      expect(hex(readSecrets(at)), `${done} steps`).toEqual(keys);
      expect(existsSync(path.join(at, 'secrets.json'))).toBe(false);
      expect(readSecret(at, 'pepper').toString('hex')).toBe(keys.pepper);
    }
  });

  it('of an older version are split by one of the servers that start at once', async () => {
    const keys = old();
    for (const one of await startAtOnce()) expect(one).toEqual(keys);
    expect(existsSync(path.join(folder, 'secrets.json'))).toBe(false);
  });

  it('are not mixed with an older file that somebody puts beside them', () => {
    const keys = old();
    readSecrets(folder);
    writeFileSync(path.join(folder, 'secrets.json'), JSON.stringify({ ...keys, receiptKey: 'aa'.repeat(32) }));
    expect(() => readSecrets(folder)).toThrow('differ: move the wrong file away');
    expect(keysOf('receipts').receiptKey).toBe(keys.receiptKey);
  });

  it('may be provided by the system, one file per process, and are then never written', () => {
    const secrets = readSecrets(folder);
    const given = path.join(folder, 'given');
    mkdirSync(given);
    renameSync(file('receipts'), path.join(given, 'receipts.json'));
    chmodSync(path.join(given, 'receipts.json'), 0o400);
    expect(() => readSecrets(folder)).toThrow('receipts.json is missing');
    process.env.SECRETS_DIR = given;
    expect(readSecrets(folder)).toEqual(secrets);
    expect(modeOf(path.join(given, 'receipts.json'))).toBe(0o400);
    expect(() => beginKeyChange(folder, 'receiptKey')).toThrow('handed over');
    // A machine that runs only the edge gets no other file, and no other key is generated.
    const edge = path.join(folder, 'edge');
    expect(readSecrets(edge, { names: ['receiptKey'] })).toEqual({ receiptKey: secrets.receiptKey });
    expect(readdirSync(edge)).toEqual([]);
  });
});
