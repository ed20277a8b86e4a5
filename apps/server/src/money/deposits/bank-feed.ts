import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Job } from '../../platform/module.ts';
import type { AuditLog } from '../../staff/operators/index.ts';
import type { BankAccounts } from './bank-accounts.ts';
import { importBankStatement } from './bank-lines.ts';
import { readBankStatement } from './bank-statement.ts';

/** The bank's own statements: a folder of files, or one address, each with the bank's signature (`.sig`) beside it. */
export interface BankFeed {
  readonly from: string;
  readonly key: KeyObject;
}

const EVERY_MS = 30_000;
const FILE_MAX = 10_000_000;
const FETCH_MS = 20_000;

/** Parses the bank's Ed25519 public key, 32 bytes in base64. Null if the text is no such key. */
export function readBankFeedKey(text: string): KeyObject | null {
  const raw = Buffer.from(text, 'base64');
  if (raw.length !== 32) return null;
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw]);
  return createPublicKey({ key: der, format: 'der', type: 'spki' });
}

/** The signature as 64 bytes, or as base64 of them. */
const signatureOf = (bytes: Buffer): Buffer =>
  bytes.length === 64 ? bytes : Buffer.from(bytes.toString('latin1').trim(), 'base64');

interface Found {
  readonly name: string;
  readonly file: Buffer;
  readonly signature: Buffer;
}

async function fetched(url: string): Promise<Buffer> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(FETCH_MS), redirect: 'error' });
  if (!answer.ok) throw new Error(`the bank's feed answers ${answer.status}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (bytes.length > FILE_MAX) throw new Error(`the bank's feed sends more than ${FILE_MAX} bytes`);
  return bytes;
}

/** Yields files that were not read yet, in the order of their names. */
async function* newFiles(from: string, known: Set<string>): AsyncGenerator<Found> {
  if (/^https?:/.test(from)) {
    const [file, signature] = await Promise.all([fetched(from), fetched(`${from}.sig`)]);
    yield { name: from, file, signature: signatureOf(signature) };
    return;
  }
  for (const name of (await readdir(from)).filter((one) => one.endsWith('.csv')).sort()) {
    const full = path.join(from, name);
    const { size, mtimeMs } = await stat(full);
    const mark = `${name} ${size} ${mtimeMs}`;
    if (known.has(mark)) continue;
    if (size > FILE_MAX) throw new Error(`the bank's file ${name} has more than ${FILE_MAX} bytes`);
    const signature = await readFile(`${full}.sig`).catch(() => null);
    // The signature comes last, so a file without one is still being written.
    if (signature === null) continue;
    yield { name, file: await readFile(full), signature: signatureOf(signature) };
    known.add(mark);
  }
}

interface FeedDependencies {
  readonly database: Database;
  readonly audit: AuditLog;
  readonly banks: BankAccounts;
  readonly clock: Clock;
  readonly feed: BankFeed;
  /** The brand's time zone, for times that a statement gives without one. */
  readonly timeZone: string;
  readonly onFault: (error: unknown) => void;
}

/** Imports only statements that the bank signed. Throws if a file is refused; those before it are imported. */
export async function importBankFeed(room: Omit<FeedDependencies, 'onFault'>, known: Set<string>): Promise<number> {
  const { database, audit, banks, clock, feed, timeZone } = room;
  let imported = 0;
  for await (const { name, file, signature } of newFiles(feed.from, known)) {
    if (signature.length !== 64 || !verify(null, file, feed.key, signature))
      throw new Error(`the bank's statement ${name} does not have the bank's signature`);
    const read = readBankStatement(file, clock.now(), timeZone);
    if (!read.ok) throw new Error(`the bank's statement ${name}: ${read.refusal} ${JSON.stringify(read.params ?? {})}`);
    const given = read.effect;
    await banks.refresh();
    if (!banks.isOurs(given.account)) throw new Error(`the bank's statement ${name} is of account ${given.account}`);
    await database.transaction(async (transaction) => {
      const { id, isNew, twins } = await importBankStatement(transaction, given, { kind: 'feed', file, signature });
      if (!isNew) return;
      imported += 1;
      await audit.append(transaction, {
        operator: null,
        what: 'bank_lines.fed',
        on: { kind: 'bank', id },
        after: {
          account: given.account,
          lines: String(given.lines.length),
          closing: String(given.closing.units),
          twins: twins.map(({ bankReference }) => bankReference),
        },
      });
    });
  }
  return imported;
}

export function bankFeedJob(room: FeedDependencies): Job {
  const known = new Set<string>();
  let said = '';
  return {
    on: 'settler',
    run: (signal) =>
      room.database.runAsLeader('bank-feed', signal, async (its) => {
        while (!its.aborted) {
          await importBankFeed(room, known).then(
            () => {
              said = '';
            },
            (error: unknown) => {
              // Reports each problem once instead of every half minute.
              const what = error instanceof Error ? error.message : String(error);
              if (what !== said) room.onFault(new Error(`alarm: deposits: ${what}`));
              said = what;
            },
          );
          await pause(EVERY_MS, undefined, { signal: its }).catch(() => undefined);
        }
      }),
  };
}
