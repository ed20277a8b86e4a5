/** What a monitor keeps of a log's entries, and what it finds in them alone. */
import { type Canonical, parseCanonical } from '@sathorn/proof';
import {
  type LoggedEntry,
  type LoggedHead,
  type LoggedHeads,
  type LoggedRecord,
  readLoggedEntry,
} from '@sathorn/transparency';
import { type Finding, findingOf, spellDuration, spellTime } from './finding.ts';

/** A record that is logged later than this was dated back. The log is ten seconds behind, after a restart minutes. */
export const TOLERANCE_MS = 10 * 60_000;
/** How many ticks of a coin a visit reads at most; what is older is linked to them by hashes. */
export const TICKS_MAX = 2_000;

export interface LogEntryText {
  readonly index: number;
  readonly text: string;
}

/** A record that later visits compare with public data. */
export interface KeptRecord extends LogEntryText {
  /** What was there before the log began has no time but the platform's word. */
  readonly isHistory: boolean;
}

/** A head that no public record was compared with yet. */
export interface UnseenHead {
  readonly tMs: number;
  readonly head: LoggedHead;
}

export interface LogMemory {
  /** When the first entry and the newest one were logged; 0 before. */
  beganMs: number;
  newestMs: number;
  /** True until the first batch that brings nothing from before the log began. */
  isHistory: boolean;
  /** When the newest record was logged; -1 before. */
  recordMs: number;
  /** The newest head of each chain: `ticks BTC`, `promises`, `operators`, `liabilities`. */
  readonly heads: Record<string, LoggedHead>;
  readonly unseen: Record<string, readonly UnseenHead[]>;
  readonly kept: KeptRecord[];
  /** How many lines of each bank statement were logged; under '' those of none. */
  readonly lines: Record<string, number>;
}

export const EMPTY_LOG: Readonly<LogMemory> = {
  beganMs: 0,
  newestMs: 0,
  isHistory: true,
  recordMs: -1,
  heads: {},
  unseen: {},
  kept: [],
  lines: {},
};

const KEPT_KINDS: ReadonlySet<string> = new Set(['key', 'offer', 'offer_stopped', 'box', 'bank_statement']);
const CHAINS = ['promises', 'operators', 'liabilities'] as const;
/** Chains with public records. */
const isPublic = (chain: string): boolean => chain.startsWith('ticks ') || chain === 'liabilities';

/** Goes on from `before`, which stays as it is: what was not written down is read again. */
export function followLog(
  before: Readonly<LogMemory>,
  entries: readonly LogEntryText[],
  nowMs: number,
): { readonly memory: LogMemory; readonly findings: readonly Finding[] } {
  const memory: LogMemory = structuredClone(before);
  const findings: Finding[] = [];
  for (const entry of entries) {
    const read = readLoggedEntry(entry.text);
    if (read === undefined) {
      findings.push(entryFinding('log', entry, `Entry ${entry.index} of the log has no known form.`));
      continue;
    }
    const { tMs, record } = read;
    findings.push(...faultsOfTime(memory, entry, tMs, nowMs));
    if (memory.beganMs === 0) memory.beganMs = tMs;
    memory.isHistory &&= isStillHistory(memory, read);
    if (record === undefined) findings.push(...followHeads(memory, entry, read.heads, tMs));
    else {
      if (!memory.isHistory) findings.push(...faultsOfDate(entry, tMs, record));
      keepRecord(memory, entry, record);
      memory.recordMs = tMs;
    }
    memory.newestMs = Math.max(memory.newestMs, tMs);
  }
  return { memory, findings };
}

const entryFinding = (kind: 'log' | 'time' | 'head', { index, text }: LogEntryText, says: string): Finding =>
  findingOf(kind, `entry ${index}`, says, text);

/** The log's first entries are history, oldest first. The first batch without such a record ends it. */
function isStillHistory({ beganMs, recordMs }: LogMemory, { tMs, record }: LoggedEntry): boolean {
  return record === undefined ? tMs === recordMs : record.atMs < beganMs;
}

function faultsOfTime({ newestMs }: LogMemory, entry: LogEntryText, tMs: number, nowMs: number): Finding[] {
  const { index } = entry;
  if (newestMs - tMs > TOLERANCE_MS)
    return [
      entryFinding('time', entry, `Entry ${index} was logged ${spellDuration(newestMs - tMs)} before an earlier one.`),
    ];
  if (tMs - nowMs > TOLERANCE_MS)
    return [
      entryFinding('time', entry, `Entry ${index} names a time to come, ${spellTime(tMs)}, as when it was logged.`),
    ];
  return [];
}

function faultsOfDate(entry: LogEntryText, tMs: number, { kind, subject, atMs }: LoggedRecord): Finding[] {
  const ms = tMs - atMs;
  if (Math.abs(ms) <= TOLERANCE_MS) return [];
  const span = `${spellDuration(Math.abs(ms))} ${ms > 0 ? 'before' : 'after'}`;
  return [
    entryFinding('time', entry, `Entry ${entry.index} says that ${kind} ${subject} happened ${span} it was logged.`),
  ];
}

function namedHeads({ ticks, ...others }: LoggedHeads): [chain: string, head: unknown][] {
  return [
    ...Object.entries(ticks ?? {}).map(([coin, head]): [string, unknown] => [`ticks ${coin}`, head]),
    ...CHAINS.flatMap((chain): [string, unknown][] => (others[chain] === undefined ? [] : [[chain, others[chain]]])),
  ];
}

const isHead = (head: unknown): head is LoggedHead =>
  Array.isArray(head) &&
  head.length === 2 &&
  /^(0|[1-9][0-9]{0,17})$/.test(String(head[0])) &&
  /^[0-9a-f]{64}$/.test(String(head[1]));

function followHeads(memory: LogMemory, entry: LogEntryText, given: LoggedHeads, tMs: number): Finding[] {
  return namedHeads(given).flatMap(([chain, head]) => {
    if (!isHead(head))
      return entryFinding('head', entry, `Entry ${entry.index} names a head of ${chain} of no known form.`);
    const found = faultOfHead(chain, head, memory.heads[chain], entry);
    memory.heads[chain] = head;
    if (isPublic(chain)) {
      const oldest = chain === 'liabilities' ? 0n : BigInt(head[0]) - BigInt(TICKS_MAX);
      const unseen = (memory.unseen[chain] ?? []).filter((each) => BigInt(each.head[0]) > oldest);
      memory.unseen[chain] = [...unseen, { tMs, head }];
    }
    return found ?? [];
  });
}

function faultOfHead(
  chain: string,
  [number, hash]: LoggedHead,
  before: LoggedHead | undefined,
  entry: LogEntryText,
): Finding | null {
  if (before === undefined) return null;
  const [last, lastHash] = before;
  if (BigInt(number) < BigInt(last))
    return entryFinding('head', entry, `Entry ${entry.index} sets ${chain} back from number ${last} to ${number}.`);
  return number === last && hash !== lastHash
    ? entryFinding('head', entry, `Entry ${entry.index} gives number ${number} of ${chain} a second hash.`)
    : null;
}

function keepRecord({ kept, lines, isHistory }: LogMemory, entry: LogEntryText, { kind, said }: LoggedRecord): void {
  if (KEPT_KINDS.has(kind)) kept.push({ ...entry, isHistory });
  if (kind !== 'bank_line') return;
  const statement = textOf(said, 'statement') ?? '';
  lines[statement] = (lines[statement] ?? 0) + 1;
}

/** A member of what a record says; undefined unless it is a text. */
export function textOf(said: Canonical | undefined, name: string): string | undefined {
  const member = typeof said === 'object' && said !== null ? (Reflect.get(said, name) as unknown) : undefined;
  return typeof member === 'string' ? member : undefined;
}

export interface ReadRecord extends KeptRecord {
  readonly tMs: number;
  readonly record: LoggedRecord;
}

/** The kept records of some kinds, oldest first. */
export function recordsOf({ kept }: Pick<LogMemory, 'kept'>, ...kinds: readonly string[]): ReadRecord[] {
  return kept.flatMap((each) => {
    const entry = readLoggedEntry(each.text);
    return entry?.record !== undefined && kinds.includes(entry.record.kind)
      ? [{ ...each, tMs: entry.tMs, record: entry.record }]
      : [];
  });
}

/** What a record says, where it is a canonical text of its own. */
export function membersOf(text: string | undefined): { readonly [name: string]: Canonical } | undefined {
  const value = text === undefined ? undefined : parseCanonical(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as { readonly [name: string]: Canonical })
    : undefined;
}
