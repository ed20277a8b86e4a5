import { sha256, toHex, utf8Bytes } from '@sathorn/proof';
import {
  beginningFromTiles,
  type Checkpoint,
  type Cosigned,
  isQuorum,
  isSameRoot,
  judgeCheckpoint,
  type LogContradiction,
  type ReadTile,
  readCheckpoint,
  readNote,
  readWitnessPolicy,
  tilePath,
  verifyLogContradiction,
  type WitnessPolicy,
  writeBeginning,
  writeVerifierKey,
} from '@sathorn/transparency';
import { type LogState, RECENT_MS, type SeenLog, stateOfSeen } from './seen-log.ts';

/** This device's memory of the log, as JSON. */
export interface KeptLog {
  /** The texts that were served: the policy, and the newest note that was accepted. */
  readonly policy: string;
  readonly note: string;
  readonly seen: SeenLog;
}

/** A contradiction of what this device kept of the log. */
export interface LogFinding {
  readonly kind: 'log';
  /** The fault and what it is about, so that one thing is reported once. */
  readonly id: string;
  /**
   * `forked`: the log signed two histories, which `contradiction` proves. `unshown`: its tiles do not show that it
   * begins with what was kept. `rolled_back`: it is smaller now. `signature`: the note is not signed as the policy
   * says. `policy`: other witnesses are asked for. `other_log`: it is another log, or has another key. `gone`: there is
   * no log any more. `disowned`: the platform says that the kept note is not of its log.
   */
  readonly fault: 'forked' | 'unshown' | 'rolled_back' | 'signature' | 'policy' | 'other_log' | 'gone' | 'disowned';
  readonly origin: string;
  /** How many entries this device had seen. */
  readonly entries: number;
  /** The kept text and the one that was served: notes, policies for `policy`; empty where there is none. */
  readonly kept: string;
  readonly shown: string;
  readonly contradiction: LogContradiction | null;
  readonly foundAt: number;
}

export interface JudgedLog {
  readonly state: LogState;
  /** What to keep from now on; null to keep what is kept. */
  readonly keep: KeptLog | null;
  readonly findings: readonly LogFinding[];
}

export interface LogCase {
  readonly kept: KeptLog | null;
  /** The texts that the platform serves now. */
  readonly policy: string;
  readonly note: string;
  /** Reads one of the log's files by its path; undefined if it is not there. */
  readonly readFile: (path: string) => Promise<Uint8Array | undefined>;
  /** By the server's clock, as estimated. */
  readonly nowMs: number;
}

const UNREAD: JudgedLog = { state: 'unread', keep: null, findings: [] };

/** Judges what the platform shows of its log now, by what this device has kept of it. A first visit keeps. */
export async function judgeLog({ kept, policy: policyText, note, readFile, nowMs }: LogCase): Promise<JudgedLog> {
  const policy = readWitnessPolicy(policyText);
  if ('fault' in policy) return UNREAD;
  const judged = await judgeCheckpoint({ note, policy, previous: null, proof: null });
  const { checkpoint, cosigned } = judged;
  if (checkpoint === null) return UNREAD;
  const findings: LogFinding[] = [];
  const add = (fault: LogFinding['fault'], shown: string, contradiction: LogContradiction | null = null): void =>
    void findings.push(findingOf({ fault, kept, shown, contradiction, origin: checkpoint.origin, nowMs }));

  if (!judged.isAccepted && judged.refusal !== 'quorum_missing') {
    add('signature', note);
    return { state: 'differs', keep: null, findings };
  }
  const before = kept && readKept(kept);
  if (before && !isSameLog(before, policy, checkpoint)) add('other_log', policyText);
  else if (before) {
    if (meaningOf(before.policy) !== meaningOf(policy)) add('policy', policyText);
    const { fault, proof } = await compare(before.checkpoint, checkpoint, openTiles(readFile));
    const isBehind = checkpoint.size < before.checkpoint.size;
    if (fault !== null) {
      const [first, second] = isBehind ? [note, before.note] : [before.note, note];
      const { origin } = checkpoint;
      add(
        fault,
        note,
        fault === 'forked' ? await contradictionOf({ first, second, proof, about: origin }, policy) : null,
      );
      return { state: 'differs', keep: null, findings };
    }
    // A server process that lags behind shows an older note, which says nothing new.
    if (isBehind) return { state: stateOfSeen(before.seen, nowMs), keep: null, findings };
  }

  // A time far ahead of the clock states nothing.
  const stated = cosigned.filter(({ seconds }) => seconds * 1_000 <= nowMs + RECENT_MS);
  if (!isQuorum(policy, namesOf(stated))) return { state: 'unconfirmed', keep: null, findings };
  const recent = stated.filter(({ seconds }) => seconds * 1_000 >= nowMs - RECENT_MS);
  const counted = isQuorum(policy, namesOf(recent)) ? recent : stated;
  const confirmedMs = counted.length === 0 ? null : Math.min(...counted.map(({ seconds }) => seconds)) * 1_000;
  const seen: SeenLog = { entries: checkpoint.size, witnesses: counted.length, confirmedMs, seenMs: nowMs };
  return { state: stateOfSeen(seen, nowMs), keep: { policy: policyText, note, seen }, findings };
}

const namesOf = (cosigned: readonly Cosigned[]): ReadonlySet<string> => new Set(cosigned.map(({ witness }) => witness));

interface FoundInLog extends Pick<LogFinding, 'fault' | 'origin' | 'shown'> {
  readonly kept: KeptLog | null;
  readonly contradiction?: LogContradiction | null;
  readonly nowMs: number;
}

function findingOf({ fault, kept, shown, contradiction = null, origin, nowMs }: FoundInLog): LogFinding {
  const entries = kept?.seen.entries ?? 0;
  const isOfPolicy = fault === 'policy' || fault === 'other_log';
  return {
    kind: 'log',
    // The log grows while a finding stays, but one policy may follow another.
    id: `${fault} ${origin} ${isOfPolicy ? toHex(sha256(utf8Bytes(shown))).slice(0, 16) : entries}`,
    fault,
    origin,
    entries,
    kept: (isOfPolicy ? kept?.policy : kept?.note) ?? '',
    shown,
    contradiction,
    foundAt: nowMs,
  };
}

/** A finding about the kept note alone: the log is gone, or the platform disowns the note (`shown` is its answer). */
export function findingOfKept(fault: 'gone' | 'disowned', kept: KeptLog, shown: string, nowMs: number): LogFinding {
  return findingOf({ fault, kept, shown, origin: checkpointOf(kept.note)?.origin ?? '', nowMs });
}

export function checkpointOf(noteText: string): Checkpoint | null {
  const note = readNote(noteText);
  return (typeof note === 'string' ? undefined : readCheckpoint(note.text)) ?? null;
}

const keysOf = ({ logs }: WitnessPolicy, origin: string): string[] =>
  logs.filter(({ key }) => key.name === origin).map(({ key }) => writeVerifierKey(key));

/** What was kept, read; null if the device's storage has spoiled it. */
function readKept({ policy: policyText, note, seen }: KeptLog) {
  const policy = readWitnessPolicy(policyText);
  const checkpoint = checkpointOf(note);
  return 'fault' in policy || checkpoint === null ? null : { policy, checkpoint, note, seen };
}

/** True if a key of the kept log is still one of the log that is shown. */
function isSameLog(
  before: { readonly policy: WitnessPolicy; readonly checkpoint: Checkpoint },
  policy: WitnessPolicy,
  { origin }: Checkpoint,
): boolean {
  const keys = keysOf(before.policy, before.checkpoint.origin);
  return keysOf(policy, origin).some((key) => keys.includes(key));
}

/** A policy without its comments, addresses and the order of its logs. */
const meaningOf = ({ logs, witnesses, groups, quorum }: WitnessPolicy): string =>
  JSON.stringify([
    logs.map(({ key }) => writeVerifierKey(key)).sort(),
    witnesses.map(({ name, key }) => `${name} ${writeVerifierKey(key)}`).sort(),
    [...groups].sort(),
    quorum,
  ]);

/** Each file is read once, though two proofs may need it. */
export function openTiles(readFile: LogCase['readFile']): ReadTile {
  const files = new Map<string, ReturnType<typeof readFile>>();
  return (place) => {
    const path = tilePath(place);
    const file = files.get(path) ?? readFile(path);
    files.set(path, file);
    return file;
  };
}

/** The larger checkpoint must begin with the smaller one; its tiles show with what it begins. */
async function compare(
  kept: Checkpoint,
  shown: Checkpoint,
  read: ReadTile,
): Promise<{ readonly fault: 'forked' | 'unshown' | 'rolled_back' | null; readonly proof: readonly string[] }> {
  const [first, second] = shown.size < kept.size ? [shown, kept] : [kept, shown];
  if (first.size === second.size) return { fault: isSameRoot(first.root, second.root) ? null : 'forked', proof: [] };
  const begins = await beginningFromTiles(first.size, second, read);
  if (begins === undefined) return { fault: shown === first ? 'rolled_back' : 'unshown', proof: [] };
  if (isSameRoot(begins.root, first.root)) return { fault: null, proof: [] };
  return { fault: 'forked', proof: writeBeginning(begins) };
}

/** The proof as a file. A log may have several keys; one of them must have signed both notes. */
async function contradictionOf(
  texts: Pick<LogContradiction, 'about' | 'first' | 'second' | 'proof'>,
  policy: WitnessPolicy,
): Promise<LogContradiction | null> {
  for (const key of keysOf(policy, texts.about)) {
    const found: LogContradiction = { v: 'contradiction/1', kind: 'log', ...texts, keys: [key] };
    if ((await verifyLogContradiction(found)) === null) return found;
  }
  return null;
}
