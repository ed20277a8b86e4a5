import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate, startEmbeddedPostgres } from '../../platform/database/index.ts';
import { readSecrets } from '../../platform/secrets.ts';
import { newDataDir } from '../../whole/testing-server.ts';
import { backUp } from './backup.ts';
import { copySecrets } from './carry-secrets.ts';
import { type Manifest, writeManifest } from './manifest.ts';
import { restoreBackup } from './restore-backup.ts';

const quiet = (): void => undefined;
/** Messages of the system or a parser, which nobody understands after a disaster. */
const RAW = /\bE[A-Z]{3,}\b|JSON|Unexpected|undefined|TypeError|not iterable/;

describe('a backup that is damaged', () => {
  let home: string;
  let backup: string;
  let apart: string;
  let base: string;
  let first: string;
  let beside: string;
  const place = (...names: string[]): string => path.join(home, ...names);
  const read = (name: string): string => readFileSync(path.join(backup, name), 'utf8');

  /** A small platform: its database, its secrets, a wallet, two pictures. */
  beforeAll(async () => {
    home = newDataDir('damages');
    [backup, apart] = [place('backup'), place('apart')];
    const dataDir = place('data');
    const { databaseOwner } = readSecrets(dataDir);
    const postgres = await startEmbeddedPostgres({ dataDir, password: databaseOwner.toString('hex'), print: quiet });
    try {
      await migrate(postgres.owner, { app: 'app', index: 'index', checker: 'checker', signer: 'signer', log: 'log' });
      for (const name of ['files', 'signer']) mkdirSync(path.join(dataDir, name));
      for (const name of ['one', 'two']) writeFileSync(path.join(dataDir, 'files', name), `sealed ${name}`);
      writeFileSync(path.join(dataDir, 'checker-keys.json'), '{"pinned": []}');
      // The first private key in the examples of every library.
      writeFileSync(path.join(dataDir, 'signer', 'keys.json'), JSON.stringify({ hotKey: `${'0'.repeat(63)}1` }));
      const wallet = { hot: '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf' };
      writeFileSync(path.join(dataDir, 'signer', 'wallet.json'), JSON.stringify(wallet));
      const pass = { dataDir, folder: backup, owner: postgres.owner, print: quiet };
      await backUp(pass);
      // Switches to the next segment, so that the backup has a complete one and a last one that is not empty.
      const client = new (await import('pg')).default.Client(postgres.owner);
      await client.connect();
      await client.query('SELECT pg_switch_wal()');
      await client.query("SELECT pg_logical_emit_message(true, 'test', repeat('x', 10000))");
      await client.end();
      writeFileSync(path.join(dataDir, 'files', 'three'), 'sealed three');
      await backUp(pass);
      copySecrets(dataDir, apart);
    } finally {
      await postgres.stop();
    }
    const names = readdirSync(backup);
    base = names.find((name) => /^base-[^.]+$/.test(name)) ?? '';
    first = path.join('wal', readdirSync(place('backup', 'wal')).find((name) => name.endsWith('.zst')) ?? '');
    beside = names.find((name) => name.startsWith('beside-')) ?? '';
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  const flip = (file: string): void => {
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    writeFileSync(file, bytes);
  };
  const cut = (file: string): void => truncateSync(file, statSync(file).size >> 1);
  const remove = (file: string): void => rmSync(file, { recursive: true });
  const link = (file: string): void => {
    renameSync(file, place('moved'));
    symlinkSync(place('moved'), file);
  };
  const folder = (file: string): void => {
    remove(file);
    mkdirSync(file);
  };
  const write = (content: string) => (file: string) => writeFileSync(file, content);
  const instead = (file: string): void => {
    remove(file);
    writeFileSync(file, 'x');
  };
  /** Rewrites the manifest with a valid hash, so that only one part of it is wrong. */
  const rewritten = (change: (kept: Manifest) => object) => (file: string) => {
    const { sha256: _, ...kept } = JSON.parse(readFileSync(file, 'utf8')) as Manifest & { sha256: string };
    writeManifest(path.dirname(file), change(kept) as Manifest);
  };

  const inBase = (name: string) => () => path.join(base, name);
  const table = () =>
    path.join(
      base,
      'base',
      '5',
      readdirSync(path.join(backup, base, 'base', '5')).find((name) => name === '1259') ?? '',
    );
  const tail = () =>
    path.join('wal', readdirSync(path.join(backup, 'wal')).find((name) => name.endsWith('.tail')) ?? '');
  const at = (name: string) => () => name;
  const small = (name: string) => () => path.join(beside, name);
  type Damage = [what: string, file: () => string, damage: (file: string) => void, names?: () => string];
  const damages: Damage[] = [
    ['a table with a changed bit', table, flip],
    ['a table that is cut', table, cut],
    ['a table that is missing', table, remove],
    ['a table that is a link', table, link],
    ['a table that is a folder', table, folder],
    ['the control file with a changed bit', inBase('global/pg_control'), flip],
    ['the label with another beginning', inBase('backup_label'), flip],
    ['no label', inBase('backup_label'), remove],
    ['a table map that nobody wrote', inBase('tablespace_map'), write('16384 /tmp\n')],
    ['a file that nobody copied', inBase('global/9999'), write('x')],
    ['no copy of the cluster', at(''), () => remove(place('backup', base)), () => base],
    ['a link instead of the copy', at(''), () => link(place('backup', base)), () => base],
    ['a file instead of the copy', at(''), () => instead(place('backup', base)), () => base],
    ['a segment of the log with a changed bit', () => first, flip],
    ['a segment that is cut', () => first, cut],
    ['a segment that is missing', () => first, remove],
    ['a segment that is empty', () => first, write('')],
    ['a segment of another log', () => first, (file) => cpSync(place('another.zst'), file)],
    ['a segment that is a folder', () => first, folder],
    ['the last segment with a changed bit', tail, flip],
    ['the last segment cut', tail, cut],
    ['the last segment missing', tail, remove],
    ['a manifest that is cut', at('manifest.json'), cut],
    ['a manifest that is empty', at('manifest.json'), write('')],
    ['a manifest that is no manifest', at('manifest.json'), write('null')],
    ['a manifest with nothing in it', at('manifest.json'), write('{"v":"sathorn-backup/1"}')],
    [
      'a manifest with another id',
      at('manifest.json'),
      (file) => writeFileSync(file, read('manifest.json').replace(/"id": "./, '"id": "x')),
    ],
    ['a manifest of another version', at('manifest.json'), rewritten((kept) => ({ ...kept, v: 'sathorn-backup/9' }))],
    [
      'a manifest whose fingerprint of a secret was changed',
      at('manifest.json'),
      (file) => writeFileSync(file, read('manifest.json').replace(/"boxKey": "./, '"boxKey": "x')),
    ],
    ['a manifest that is missing', at('manifest.json'), remove, () => ''],
    ['a manifest that is a folder', at('manifest.json'), folder],
    ['moments that are cut', at('moments.jsonl'), cut],
    [
      'moments without the last one',
      at('moments.jsonl'),
      (file) => writeFileSync(file, `${read('moments.jsonl').split('\n')[0]}\n`),
    ],
    ['moments that are missing', at('moments.jsonl'), remove],
    [
      'a moment with another number',
      at('moments.jsonl'),
      (file) => writeFileSync(file, read('moments.jsonl').replace('"transfers":"', '"transfers":"9')),
    ],
    ['a picture with a changed bit', at('files/one'), flip],
    ['a picture that is missing', at('files/two'), remove],
    ['a picture that is a link', at('files/two'), link],
    ['a list of pictures with a changed bit', at('pictures.txt'), flip],
    ['a list of pictures that is cut', at('pictures.txt'), cut],
    ['other pinned keys', small('checker-keys.json'), flip],
    ['no pinned keys', small('checker-keys.json'), remove],
    ['another wallet', small('signer/wallet.json'), flip],
  ];

  it('is refused before anything is written, with the name of the file and what to do', {
    timeout: 600_000,
  }, async () => {
    expect(damages.length).toBeGreaterThanOrEqual(30);
    writeFileSync(place('another.zst'), (await import('node:zlib')).zstdCompressSync(Buffer.alloc(16 << 20, 7)));
    const target = place('target');
    mkdirSync(target, { mode: 0o755 });
    const kept = place('kept');
    for (const [what, file, damage, names = file] of damages) {
      const damaged = path.join(backup, file());
      const named = path.join(backup, names());
      // Restores the single file that the damage touches.
      const touched = names() === '' ? damaged : named;
      const isThere = existsSync(touched);
      if (isThere) cpSync(touched, kept, { recursive: true });
      damage(damaged);
      const fault = await restoreBackup({ folder: backup, dataDir: target, secretsFrom: apart, print: quiet }).catch(
        (error: Error) => error.message,
      );
      expect(fault, what).toContain(named);
      expect(fault, what).toMatch(/put .* back|restore another|restore with|has no key|is the key of/i);
      expect(fault, what).not.toMatch(RAW);
      expect(
        readdirSync(target).filter((name) => !name.startsWith('server.lock')),
        what,
      ).toEqual([]);
      rmSync(touched, { recursive: true, force: true });
      rmSync(place('moved'), { recursive: true, force: true });
      if (isThere) renameSync(kept, touched);
    }
  });

  it('is refused with others’ secrets or another wallet’s key, which do not stay in the folder', async () => {
    const target = place('target-2');
    mkdirSync(target, { mode: 0o755 });
    const to = { folder: backup, dataDir: target, print: quiet };
    const changed = (name: string, change: (file: string) => void): string => {
      const other = place(`apart-${name.replaceAll('/', '-')}`);
      cpSync(apart, other, { recursive: true });
      change(path.join(other, name));
      return other;
    };
    const others: [string, (file: string) => void, RegExp][] = [
      [
        'secrets/boxes.json',
        (file) => writeFileSync(file, JSON.stringify({ boxKey: '22'.repeat(32) })),
        /not those of this backup \(boxKey\)/,
      ],
      ['secrets/boxes.json', remove, /boxes\.json is missing/],
      ['secrets/owner.json', cut, /owner\.json is damaged/],
      [
        'signer-keys.json',
        (file) => writeFileSync(file, JSON.stringify({ hotKey: `${'0'.repeat(63)}2` })),
        /is the key of 0x2b5ad5c4795c026514f8317c7a215e218dccd6cf, but the house's wallet is 0x7e5f/,
      ],
      ['signer-keys.json', remove, /the wallet 0x7e5f4552091a69125d5dfcb7b8c2659029395bdf has no key here/],
      ['signer-keys.json', cut, /keys\.json is damaged/],
    ];
    for (const [name, change, says] of others) {
      rmSync(place(`apart-${name.replaceAll('/', '-')}`), { recursive: true, force: true });
      const fault = await restoreBackup({ ...to, secretsFrom: changed(name, change) }).catch(
        (error: Error) => error.message,
      );
      expect(fault).toMatch(says);
      expect(fault).not.toMatch(RAW);
      expect(readdirSync(target).filter((one) => !one.startsWith('server.lock'))).toEqual([]);
    }
    await expect(restoreBackup({ ...to, folder: place('nowhere') })).rejects.toThrow(`${place('nowhere')} is missing`);
  });

  it('restores if only unneeded files are damaged, with the rights and folders that the database needs', async () => {
    const target = place('whole');
    mkdirSync(target, { mode: 0o755 });
    // A file from an interrupted backup, or from elsewhere.
    writeFileSync(path.join(backup, 'files', 'added'), 'x');
    appendFileSync(path.join(backup, 'moments.jsonl'), '{"at":"20');
    writeFileSync(path.join(backup, beside, 'checker-voters.json'), '{}');
    cut(path.join(backup, `${base}.files`));
    // Copies like a program that leaves out empty folders.
    for (const name of ['pg_twophase', 'pg_tblspc', 'pg_notify']) remove(path.join(backup, base, name));
    for (const name of ['global/pg_control', 'PG_VERSION']) chmodSync(path.join(backup, base, name), 0o400);
    chmodSync(path.join(backup, 'files', 'one'), 0o444);
    const heard: string[] = [];
    const print = (line: string): void => void heard.push(line);
    const { missing } = await restoreBackup({ folder: backup, dataDir: target, secretsFrom: apart, print });
    expect(missing).toEqual([]);
    expect(heard.join('\n')).toContain(`${path.join(backup, 'files', 'added')} is not a picture of this backup`);
    expect(readdirSync(path.join(target, 'files')).sort()).toEqual(['one', 'three', 'two']);
    expect(existsSync(path.join(target, 'checker-voters.json'))).toBe(false);
    for (const name of ['postgres/global/pg_control', 'files/one', 'signer/wallet.json'])
      expect(lstatSync(path.join(target, name)).mode & 0o777, name).toBe(0o600);
  });
});
