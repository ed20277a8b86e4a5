import { setTimeout as pause } from 'node:timers/promises';
import { isConsistent } from '@sathorn/proof';
import {
  type AskWitness,
  type Checkpoint,
  collectCosignatures,
  consistencyFromTiles,
  growLog,
  isQuorum,
  judgeLogStart,
  type LoggedHeads,
  type PolicyWitness,
  rootFromTiles,
  signNote,
  type WitnessPolicy,
  writeCheckpoint,
  writeNote,
} from '@sathorn/transparency';
import type { Database } from '../../platform/database/index.ts';
import type { LogFolder } from './log-folder.ts';
import {
  insertAccountHeads,
  insertEntries,
  lockLog,
  publish,
  readHeads,
  readLogSize,
  readUnloggedHeads,
  readUnloggedRecords,
  tilesOf,
} from './log-store.ts';
import { headsEntry, recordEntries } from './make-entries.ts';

export interface LogParts {
  /** Logs in with the role that writes the log. */
  readonly database: Database;
  readonly folder: LogFolder;
  readonly policy: WitnessPolicy;
  /** The policy as everybody gets it, without the witnesses' addresses. */
  readonly policyText: string;
  readonly ask: AskWitness;
  /** A witness's newest note of this log; null if it has none, undefined if it did not say. */
  readonly hear: (witness: PolicyWitness, origin: string) => Promise<string | null | undefined>;
  readonly now: () => Date;
}

/** The log must never sign again: its storage and what it or a witness remembers are two histories. */
export class LogDead extends Error {}

export interface LogKeeper {
  /** True if the log may sign; false if too few witnesses answered. Throws `LogDead`. */
  start(): Promise<boolean>;
  /** Logs what is new, and publishes it once enough witnesses have cosigned. Throws `LogDead`. */
  round(): Promise<void>;
}

const RECORDS_MAX = 500;
const ACCOUNT_HEADS_MAX = 2_000;

export function openLogKeeper({ database, folder, policy, policyText, ask, hear, now }: LogParts): LogKeeper {
  const { key } = folder;
  const origin = key.name;
  /** What this process signed last, so that a row changed under it is noticed before it signs again. */
  let signed: Checkpoint | null = null;
  let logged: LoggedHeads = {};
  /** What each witness cosigned last. */
  const sizes = new Map<string, number>();

  /** Stores what is new, durably, and returns the tree with it. */
  const grow = async (): Promise<Checkpoint> => {
    const { checkpoint, heads } = await database.transaction(async (transaction) => {
      await lockLog(transaction);
      const size = await readLogSize(transaction);
      const tMs = now().getTime();
      const heads = await readHeads(transaction);
      const accounts = await readUnloggedHeads(transaction, ACCOUNT_HEADS_MAX);
      const entries = recordEntries(await readUnloggedRecords(transaction, RECORDS_MAX), tMs);
      const ofHeads = headsEntry(heads, logged, accounts, tMs);
      if (ofHeads !== null) entries.push(ofHeads);
      const bodies = entries.map(({ body }) => new TextEncoder().encode(body));
      const grown = await growLog({ origin, size }, bodies, tilesOf(transaction));
      if (entries.length > 0) await insertEntries(transaction, size, entries, grown);
      if (accounts.length > 0) {
        const numbers = accounts.map(({ head }) => head);
        await insertAccountHeads(transaction, grown.checkpoint.size - 1, numbers);
      }
      return { checkpoint: grown.checkpoint, heads };
    });
    // Only after the commit: heads that were rolled back are still to be logged.
    logged = heads;
    return checkpoint;
  };

  return {
    async start() {
      const heard = new Map<string, string | null>();
      await Promise.all(
        policy.witnesses.map(async (witness) => {
          const note = await hear(witness, origin);
          if (note !== undefined) heard.set(witness.name, note);
        }),
      );
      const size = await readLogSize(database);
      const rootOf = (count: number) => rootFromTiles(count, tilesOf(database), size);
      const found = await judgeLogStart({ log: key, size, rootOf, ownNote: folder.readNote(), heard, policy });
      if (found.canSign) {
        signed = { origin, size, root: await rootOf(size), extensions: [] };
        return true;
      }
      if (found.refusal === 'too_few_heard') return false;
      const by = found.by ?? 'the log itself';
      throw new LogDead(
        found.refusal === 'behind'
          ? `${by} remembers ${found.size} entries, and the database has ${size}`
          : `${by} remembers another tree of ${found.size} entries`,
      );
    },

    async round() {
      const checkpoint = await grow();
      const { size } = checkpoint;
      const proofFrom = (before: number) => consistencyFromTiles(before, size, tilesOf(database));
      if (signed !== null && !isConsistent(signed, checkpoint, await proofFrom(signed.size)))
        throw new LogDead(`the database has another tree than the one of ${signed.size} entries that was signed`);
      const text = writeCheckpoint(checkpoint);
      const note = { text, signatures: [signNote(text, key)] };
      // Remembered before anybody sees it: a log that forgot what it signed could sign another history.
      folder.writeNote(writeNote(note));
      signed = checkpoint;
      const { witnesses } = policy;
      const words = await collectCosignatures({ note, size, witnesses, sizes, proofFrom, ask });
      const signatures = [...note.signatures];
      const cosigned = new Set<string>();
      for (const [name, word] of words) {
        if ((word.kind === 'refused' && word.status === 422) || (word.kind === 'is_at' && word.size > size))
          throw new LogDead(`${name} remembers another history`);
        if (word.kind !== 'cosigned') continue;
        sizes.set(name, size);
        cosigned.add(name);
        signatures.push(word.signature);
      }
      if (!isQuorum(policy, cosigned)) return;
      const cosignedNote = writeNote({ text, signatures });
      if (!(await publish(database, { policy: policyText, size, note: cosignedNote }, now())))
        throw new Error('another process publishes a log of another name; stop one of the two');
    },
  };
}

const EVERY_MS = 10_000;

/** Keeps the log until `signal` aborts, or until it is dead. `alarm` hears a new trouble once. */
export async function keepLog(keeper: LogKeeper, alarm: (what: string) => void, signal: AbortSignal): Promise<void> {
  let said = '';
  const say = (what: string): void => {
    if (what !== said && what !== '') alarm(what);
    said = what;
  };
  let isStarted = false;
  while (!signal.aborted) {
    try {
      isStarted ||= await keeper.start();
      if (isStarted) await keeper.round();
      say(isStarted ? '' : 'the public log waits: too few witnesses answer');
    } catch (error) {
      if (error instanceof LogDead) {
        alarm(`the public log has stopped for good: ${error.message}. Find out why before a new one begins (LOG_DIR)`);
        return;
      }
      say(`the public log: ${error instanceof Error ? error.message : String(error)}`);
    }
    await pause(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}
