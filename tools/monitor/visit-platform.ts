/** One visit: reads what is new in the log, follows it, and compares it with public data. It changes nothing there. */
import { toHex } from '@sathorn/proof';
import {
  type Checkpoint,
  judgeCheckpoint,
  type ReadTile,
  readCheckpoint,
  readNote,
  readWitnessPolicy,
  TILE_WIDTH,
  type WitnessPolicy,
} from '@sathorn/transparency';
import type { AskServer } from '../verify/public-chain.ts';
import { type Finding, findingOf, spellDuration, type VisitEnd } from './finding.ts';
import { followLog, type LogEntryText, TOLERANCE_MS } from './follow-log.ts';
import { lookAtPublic } from './look-at-public.ts';
import type { MonitorMemory } from './monitor-folder.ts';
import { judgeServed, type ReadLogFile, readBundle, tilesOf } from './read-log.ts';

export interface PlatformVisit {
  readonly readFile: ReadLogFile;
  readonly ask: AskServer;
  /** The pinned policy; null at a first visit, which pins the served one. */
  readonly policy: string | null;
  readonly pin: (policy: string) => void;
  /** Changed as the visit goes on. */
  readonly memory: MonitorMemory;
  readonly now: () => number;
  /** Takes what was found, before the memory that went past it is written. */
  readonly find: (findings: readonly Finding[]) => void;
  /** Called now and then within a long visit, so that it can be interrupted. */
  readonly keep: () => void;
}

export interface VisitReport {
  /** What is no finding. */
  readonly notes: readonly string[];
  readonly unread: readonly string[];
  /** Null if no checkpoint was accepted, or not all of its entries. */
  readonly end: VisitEnd | null;
  readonly coins: readonly string[];
}

export async function visitPlatform(visit: PlatformVisit): Promise<VisitReport> {
  const { memory, now, find, ask } = visit;
  const notes: string[] = [];
  const unread: string[] = [];
  const tryTo = async (what: string, work: () => Promise<void>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      unread.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  };
  let end: VisitEnd | null = null;
  await tryTo('the log', async () => {
    const read = readPolicy(await judgePolicy(visit));
    if (read.quorum === null) notes.push('The policy asks for no witness.');
    const near = read.witnesses.map(({ name }) => name).filter((name) => name.startsWith('localhost/'));
    if (near.length > 0) notes.push(`The witnesses ${near.join(' and ')} run on the platform's own machine.`);
    end = await readLog(visit, read);
  });
  // With less than the whole log, what is public may be right without a record of it.
  const coins =
    end === null ? [] : await lookAtPublic({ ask, memory, now, find, tryTo, note: (line) => notes.push(line) });
  return { notes, unread, end, coins };
}

function readPolicy(text: string): WitnessPolicy {
  const policy = readWitnessPolicy(text);
  if ('fault' in policy) throw new Error(`the policy is not one: ${policy.fault} in line ${policy.line}`);
  return policy;
}

/** What a policy asks for, however it is written and wherever its witnesses are. */
function meaningOf({ logs, witnesses, groups, quorum }: WitnessPolicy): string {
  const keys = (named: WitnessPolicy['logs'] | WitnessPolicy['witnesses']): string[] =>
    named.map(({ key }) => `${key.name} ${toHex(key.publicKey)}`).sort();
  const names = witnesses.map(({ name, key }) => `${name} ${key.id}`).sort();
  return JSON.stringify([keys(logs), keys(witnesses), names, [...groups].sort(), quorum]);
}

/** Returns the policy to judge by, and finds a served one that is another. */
async function judgePolicy({ readFile, policy, pin, find }: PlatformVisit): Promise<string> {
  const bytes = await readFile('policy');
  if (bytes === null) throw new Error('the platform has no public log');
  const served = new TextDecoder().decode(bytes);
  if (policy === null) {
    readPolicy(served);
    pin(served);
    return served;
  }
  const now = readWitnessPolicy(served);
  if ('fault' in now || meaningOf(now) !== meaningOf(readPolicy(policy)))
    find([findingOf('policy', 'policy', 'The platform serves another policy than the pinned one.', policy, served)]);
  return policy;
}

export function checkpointOf(note: string | null): Checkpoint | null {
  const read = note === null ? null : readNote(note);
  return read === null || typeof read === 'string' ? null : (readCheckpoint(read.text) ?? null);
}

async function readLog(visit: PlatformVisit, policy: WitnessPolicy): Promise<VisitEnd | null> {
  const { readFile, memory, now, find } = visit;
  const note = await readFile('checkpoint');
  if (note === null) throw new Error('the log shows no checkpoint');
  const text = new TextDecoder().decode(note);
  const tile = tilesOf(readFile);
  const found = await judgeServed(note, policy, checkpointOf(memory.note), tile);
  const { checkpoint } = found;
  if (!found.isAccepted || checkpoint === null) {
    const refusal = found.isAccepted ? 'checkpoint_malformed' : found.refusal;
    const says = `The checkpoint of ${checkpoint?.size ?? 'no'} entries is refused: ${refusal}.`;
    find([
      findingOf('log', checkpoint?.origin ?? 'checkpoint', says, ...(memory.note === null ? [] : [memory.note]), text),
    ]);
    return null;
  }
  const { origin, size, root } = checkpoint;
  const seconds = Math.floor(now() / 1_000);
  const span = TOLERANCE_MS / 1_000;
  const recent = { from: seconds - span, to: seconds + span };
  const fresh = await judgeCheckpoint({ note, policy, previous: null, proof: null, recent });
  if (!fresh.isAccepted)
    find([
      findingOf(
        'log',
        origin,
        `The log stands still at ${size} entries: no quorum has cosigned within ${spellDuration(TOLERANCE_MS)}.`,
        text,
      ),
    ]);
  memory.note = text;
  return (await readEntries(visit, checkpoint, tile)) ? { log: origin, size, root: toHex(root) } : null;
}

/** After so many bundles a long visit keeps what it has. */
const BUNDLES_TOGETHER = 64;

/** Reads what is new; false if an entry does not belong to the checkpoint. */
async function readEntries(
  { memory, now, find, keep }: PlatformVisit,
  checkpoint: Checkpoint,
  tile: ReadTile,
): Promise<boolean> {
  let bundles = 0;
  while (memory.read < checkpoint.size) {
    const index = Math.floor(memory.read / TILE_WIDTH);
    const entries = await readBundle(index, checkpoint, tile);
    if (entries === null) {
      const says = `Entries ${memory.read} and later do not lead to the root of the checkpoint of ${checkpoint.size} entries.`;
      find([findingOf('log', checkpoint.origin, says)]);
      return false;
    }
    const first = index * TILE_WIDTH;
    const texts = entries.map(
      (bytes, n): LogEntryText => ({ index: first + n, text: new TextDecoder().decode(bytes) }),
    );
    const followed = followLog(memory.log, texts.slice(memory.read - first), now());
    find(followed.findings);
    memory.log = followed.memory;
    memory.read = first + entries.length;
    bundles += 1;
    if (bundles % BUNDLES_TOGETHER === 0) keep();
  }
  return true;
}
