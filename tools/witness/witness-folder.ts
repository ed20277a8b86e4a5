import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { readSignerKey, type SignerKey, signerKey, writeSignerKey, writeVerifierKey } from '@sathorn/transparency';
import { type Disk, openDisk, replaceFile } from './disk.ts';
import { LOCK_FILE, lockFolder } from './lock-folder.ts';
import { readState, STATE_FILE, writeState } from './witness-state.ts';

const KEY_FILE = 'key';

export interface WitnessFolder {
  readonly key: SignerKey;
  readonly disk: Disk;
  release(): void;
}

/** Two witnesses on one folder would each sign a history. */
const lock = (folder: string): (() => void) => lockFolder(folder, 'witness');

function readKey(folder: string, disk: Disk): SignerKey | null {
  const text = disk.read(KEY_FILE);
  if (text === null) return null;
  const key = readSignerKey(text.trimEnd());
  if (key?.kind !== 'cosignature') throw new Error(`${path.join(folder, KEY_FILE)} is no key of a witness`);
  if (process.platform !== 'win32' && (statSync(path.join(folder, KEY_FILE)).mode & 0o077) !== 0)
    throw new Error(`${path.join(folder, KEY_FILE)} is open to others: chmod 600 ${path.join(folder, KEY_FILE)}`);
  return key;
}

/** Makes a key and an empty state, once. A start that was cut off between the two is finished by the next one. */
export function makeWitnessFolder(folder: string, name: string): SignerKey {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const release = lock(folder);
  try {
    const disk = openDisk(folder);
    if (readKey(folder, disk) !== null) throw new Error(`${folder} has a key already`);
    const key = signerKey(name, 'cosignature', new Uint8Array(randomBytes(32)));
    // A state without a key has signed nothing; a key without a state might have.
    if (disk.read(STATE_FILE) !== null && !isUnused(disk))
      throw new Error(`${folder} has the state of a lost key: begin in a new folder`);
    writeState(disk, writeVerifierKey(key), new Map());
    replaceFile(disk, KEY_FILE, `${writeSignerKey(key)}\n`);
    chmodSync(path.join(folder, LOCK_FILE), 0o600);
    return key;
  } finally {
    release();
  }
}

function isUnused(disk: Disk): boolean {
  const { witness } = JSON.parse(disk.read(STATE_FILE) ?? '{}') as { witness?: string };
  return readState(disk, witness ?? '').size === 0;
}

export function openWitnessFolder(folder: string): WitnessFolder {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Error(`there is no folder ${folder}: make it with sathorn-witness init`);
  const release = lock(folder);
  try {
    const disk = openDisk(folder);
    const key = readKey(folder, disk);
    if (key === null) throw new Error(`${folder} has no key: make one with sathorn-witness init`);
    return { key, disk, release };
  } catch (error) {
    release();
    throw error;
  }
}
