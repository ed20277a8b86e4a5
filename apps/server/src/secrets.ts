import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const NAMES = [
  'databaseOwner',
  'databaseApp',
  'databaseChecker',
  'pepper',
  'filesKey',
  'sessionKey',
  'accountSalt',
  'indexKey',
  'receiptKey',
  'simSeed',
] as const;
type Name = (typeof NAMES)[number];

/** 32 random bytes each, kept outside the database: a stolen dump opens no password, picture or signature. */
export type Secrets = Readonly<Record<Name, Buffer>>;

/** Reads `secrets.json` of the data folder; makes what is missing at the first start. */
export function readSecrets(dataDir: string): Secrets {
  const file = path.join(dataDir, 'secrets.json');
  mkdirSync(dataDir, { recursive: true });
  const kept: Record<string, string> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const all = Object.fromEntries(NAMES.map((name) => [name, kept[name] ?? randomBytes(32).toString('hex')]));
  if (NAMES.some((name) => kept[name] === undefined)) {
    // Written beside and renamed: a crash half way must not lose the keys.
    writeFileSync(`${file}.new`, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  return Object.fromEntries(
    Object.entries(all).map(([name, hex]) => [name, Buffer.from(hex, 'hex')]),
  ) as unknown as Secrets;
}
