import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { keyIdOf } from '@sathorn/proof';
import type pg from 'pg';
import { type Connection, nameOfDatabase } from '../../platform/database/index.ts';
import { KnownKeys, type PublicKey, type SealKeys } from './known-keys.ts';
import type { Violation } from './run-invariants.ts';

/** A published key as this server first saw it. */
export interface PinnedKey extends PublicKey {
  /** When the key was first used, as the database stated at the time. */
  readonly from: string;
}

/** The keys that the checker trusts. None of them comes from the database. */
export interface CheckerTrust {
  /** The keys of this server's own secrets. */
  readonly own: readonly PublicKey[];
  /** Null before any key was seen. Then the published keys are trusted (trust on first use). */
  readonly pinned: readonly PinnedKey[] | null;
  /** The keys of seals, the only secrets that the checker has. */
  readonly seals?: SealKeys;
}

type Pins = Readonly<Record<string, readonly PinnedKey[]>>;

/** The file is beside the secrets, so that a stolen copy of the database does not contain it. */
export const pinnedKeysFile = (dataDir: string): string => path.join(dataDir, 'checker-keys.json');

function readAll(file: string): Pins {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Pins) : {};
}

export function readPinnedKeys(file: string, connection: Connection): readonly PinnedKey[] | null {
  return readAll(file)[nameOfDatabase(connection)] ?? null;
}

export function writePinnedKeys(file: string, connection: Connection, pins: readonly PinnedKey[]): void {
  const beside = `${file}.${process.pid}`;
  writeFileSync(beside, `${JSON.stringify({ ...readAll(file), [nameOfDatabase(connection)]: pins }, null, 2)}\n`, {
    mode: 0o600,
  });
  renameSync(beside, file);
}

const isSame = (a: PublicKey, b: PublicKey): boolean => a.use === b.use && a.publicKeyHex === b.publicKeyHex;

/** A row of `proofs.key`. A key that follows another has a record that the other key signed. */
export interface PublishedKey extends PinnedKey {
  readonly id: string;
  readonly record: string | null;
  readonly previousSignature: string | null;
}

/** True if a known key has announced this one. */
function isAnnounced(key: PublishedKey, known: readonly PublicKey[]): boolean {
  const { use, id, publicKeyHex, record, previousSignature } = key;
  if (record === null || previousSignature === null) return false;
  const said = JSON.parse(record) as Readonly<Record<string, unknown>>;
  return (
    said.v === 'key/1' &&
    said.use === use &&
    said.id === id &&
    said.public_key === publicKeyHex &&
    new KnownKeys(known).hasSigned(use, String(said.prev), `key/1\n${record}`, previousSignature)
  );
}

/**
 * Compares published keys, oldest first, with those seen before. Returns the verdicts, and the keys to pin from now on.
 */
export function judgePublishedKeys(
  published: readonly PublishedKey[],
  { own, pinned }: CheckerTrust,
): { readonly subjects: string[]; readonly pins: readonly PinnedKey[] } {
  const subjects: string[] = [];
  const pins = [...(pinned ?? [])];
  for (const row of published) {
    const { use, id, publicKeyHex, from } = row;
    const pin = pins.find((known) => isSame(known, row));
    const isNew = pinned === null || own.some((known) => isSame(known, row)) || isAnnounced(row, pins);
    if (id !== keyIdOf(publicKeyHex)) subjects.push(`${use} ${id} is not the id of its key`);
    else if (pin !== undefined && pin.from !== from) subjects.push(`${use} ${id} says that it signs since ${from}`);
    else if (pin === undefined && isNew) pins.push({ use, publicKeyHex, from });
    else if (pin === undefined) subjects.push(`${use} ${id} is of nobody known`);
  }
  for (const pin of pins)
    if (!published.some((row) => isSame(row, pin))) subjects.push(`${pin.use} ${keyIdOf(pin.publicKeyHex)} is gone`);
  return { subjects, pins };
}

export async function inspectPublishedKeys(
  client: pg.ClientBase,
  trust: CheckerTrust,
): Promise<{ readonly violations: Violation[]; readonly pins: readonly PinnedKey[] }> {
  const { rows } = await client.query<PublishedKey>(
    `SELECT use, id, encode(public_key, 'hex') AS "publicKeyHex", to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "from",
       to_jsonb(key) ->> 'record' AS record, substring(to_jsonb(key) ->> 'previous_signature' FROM 3) AS "previousSignature"
     FROM proofs.key AS key ORDER BY at, use, id`,
  );
  const { subjects, pins } = judgePublishedKeys(rows, trust);
  const says = 'the published keys are those that this server has seen, since when it has, or were announced by them';
  return { violations: subjects.length > 0 ? [{ invariant: 'P1', says, subjects }] : [], pins };
}

/** The keys with which the checker verifies signatures. Keys of authorisations are not published. */
export const verifyingKeysOf = ({ own, pinned }: CheckerTrust): PublicKey[] =>
  [...own, ...(pinned ?? [])].filter(({ use }) => use !== 'ledger');
