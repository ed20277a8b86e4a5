import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { foldersToRemove, isInUse, looksLikeOurFolder, removeFolders } from './reset.ts';

const root = mkdtempSync(path.join(tmpdir(), 'sathorn-reset-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function dataFolder(name: string): string {
  const folder = path.join(root, name);
  mkdirSync(path.join(folder, 'postgres'), { recursive: true });
  writeFileSync(path.join(folder, 'secrets.json'), '{}');
  return folder;
}

test('removes the data folder and the database that is stored elsewhere, and nothing else', () => {
  const folder = dataFolder('one');
  const other = dataFolder('two');
  const id = createHash('sha256').update(folder).digest('hex').slice(0, 12);
  const elsewhere = path.join(root, 'elsewhere', id);
  mkdirSync(path.join(elsewhere, 'postgres'), { recursive: true });
  const folders = foldersToRemove(folder, path.join(root, 'elsewhere'));
  expect(folders).toEqual([folder, elsewhere]);
  expect(folders.every(looksLikeOurFolder)).toBe(true);
  removeFolders(folders);
  expect([folder, elsewhere, other].map((each) => existsSync(each))).toEqual([false, false, true]);
});

test('detects a database that is still running, and not one that has ended', () => {
  const folder = dataFolder('three');
  expect(isInUse(folder)).toBe(false);
  writeFileSync(path.join(folder, 'postgres', 'postmaster.pid'), `${process.pid}\n`);
  expect(isInUse(folder)).toBe(true);
  // No process has this id, because it is above the largest possible one.
  writeFileSync(path.join(folder, 'postgres', 'postmaster.pid'), '4194999\n');
  expect(isInUse(folder)).toBe(false);
});

test('refuses a folder that belongs to somebody else', () => {
  const folder = path.join(root, 'photos');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'cat.jpg'), '');
  expect(looksLikeOurFolder(folder)).toBe(false);
});
