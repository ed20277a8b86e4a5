/** What a monitor keeps between its visits, in a folder of its own. */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { TradeView } from '@sathorn/api';
import { type Bytes, fromHex, type ProofKey, publicKeyOf, toHex } from '@sathorn/proof';
import type { LoggedHead } from '@sathorn/transparency';
import { type Disk, openDisk, replaceFile } from '../witness/disk.ts';
import { lockFolder } from '../witness/lock-folder.ts';
import { emptyFindings, type FindingsFile, readFindings } from './finding.ts';
import { EMPTY_LOG, type LogMemory } from './follow-log.ts';

/** What earlier visits saw of public data. */
export interface SeenMemory {
  keys: readonly ProofKey[];
  /** The newest tick of each coin. */
  readonly ticks: Record<string, LoggedHead>;
  liabilities?: LoggedHead;
  /** How many draws a box had when its file was verified last, and when that was. */
  readonly boxes: Record<string, { readonly drawn: number; readonly atMs: number }>;
  /** The newest trade of each coin. */
  readonly trades: Record<string, TradeView>;
}

export interface MonitorMemory {
  readonly v: 'monitor/1';
  /** The newest checkpoint that was accepted, as a note; null before the first. */
  note: string | null;
  /** How many entries were read. */
  read: number;
  log: LogMemory;
  readonly seen: SeenMemory;
}

const FILES = { key: 'key', policy: 'policy', memory: 'memory.json', findings: 'findings.json' } as const;

export const emptyMemory = (): MonitorMemory => ({
  v: 'monitor/1',
  note: null,
  read: 0,
  log: structuredClone(EMPTY_LOG),
  seen: { keys: [], ticks: {}, boxes: {}, trades: {} },
});

export interface MonitorFolder {
  /** The seed of the monitor's key. */
  readonly seed: Bytes;
  readonly memory: MonitorMemory;
  readonly findings: FindingsFile;
  /** Null before the first visit. */
  readPolicy(): string | null;
  writePolicy(text: string): void;
  writeMemory(memory: MonitorMemory): void;
  writeFindings(findings: FindingsFile): void;
}

function readSeed(disk: Disk): Bytes {
  const text = disk.read(FILES.key);
  if (text !== null) {
    const seed = fromHex(text.trim(), 32);
    if (seed === undefined) throw new Error(`${FILES.key} is no key of a monitor`);
    return seed;
  }
  // Findings that nobody can go on signing belong to a lost key.
  if (disk.read(FILES.findings) !== null) throw new Error(`${FILES.key} is missing: begin in a new folder`);
  const seed = new Uint8Array(randomBytes(32));
  replaceFile(disk, FILES.key, `${toHex(seed)}\n`);
  return seed;
}

function readMemory(disk: Disk): MonitorMemory {
  const text = disk.read(FILES.memory);
  if (text === null) return emptyMemory();
  const memory = JSON.parse(text) as MonitorMemory;
  if (memory.v !== 'monitor/1') throw new Error(`${FILES.memory} is of another version: begin in a new folder`);
  return memory;
}

/** Opens the folder of one monitor until the process ends, and makes its key at the first visit. */
export async function openMonitorFolder(folder: string): Promise<MonitorFolder> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  process.once('exit', lockFolder(folder, 'monitor'));
  const disk = openDisk(folder);
  const seed = readSeed(disk);
  const text = disk.read(FILES.findings);
  const findings = text === null ? emptyFindings(seed) : await readFindings(text);
  if ('fault' in findings) throw new Error(`${path.join(folder, FILES.findings)}: ${findings.fault}`);
  if (findings.key !== toHex(publicKeyOf(seed)))
    throw new Error(`${FILES.findings} is of another key than ${FILES.key}`);
  const write = (name: string, value: object): void => replaceFile(disk, name, `${JSON.stringify(value, null, 1)}\n`);
  return {
    seed,
    memory: readMemory(disk),
    findings,
    readPolicy: () => disk.read(FILES.policy),
    writePolicy: (policy) => replaceFile(disk, FILES.policy, policy),
    writeMemory: (memory) => write(FILES.memory, memory),
    writeFindings: (file) => write(FILES.findings, file),
  };
}
