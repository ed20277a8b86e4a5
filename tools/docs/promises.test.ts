import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Words that promise a proof. Thai is the source language, but the English sentences express this in few forms. */
const PROOF =
  /\bsigned(?!\s(in|out|up)|-in)\b|\bsignature|\bprov(e|es|en)\b|\bproof|\bverif(y|ies|ied)\b|\brecompute|\bcomput(e|es|ed)\b.*\bagain|\bcan(no|’)t be (changed|bent|rigged|altered|forged)|\bcheck\b.*\byourself|\bwithout trusting|\bnobody (chooses|can)\b|\bchained\b|\bchecked\b|\bcan only add\b|\bseals?\b/i;
/** True for a text that names a fault found by a check, which is not a promise. */
const isFault = (key: string): boolean => key.includes('.fault.') || key.startsWith('verify.member.');

function sentencesOf(value: unknown, key: string): [string, string][] {
  if (typeof value === 'string') return [[key, value]];
  if (Array.isArray(value)) return value.flatMap((each) => sentencesOf(each, key));
  return Object.entries(value as object).flatMap(([name, each]) => sentencesOf(each, key ? `${key}.${name}` : name));
}

const page = read('docs/promises.md');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| ---') && !line.startsWith('| promise'))
  .map((line) => line.split('|').map((cell) => cell.trim()));

test('each sentence that promises a proof is listed with the check that keeps it, and no other is', () => {
  const texts = [
    ...globSync('packages/text/src/catalogues/*.json', { cwd: root }).flatMap((file) =>
      Object.entries(JSON.parse(read(file)) as Record<string, { en: string }>).map(
        ([key, { en }]): [string, string] => [key, en],
      ),
    ),
    ...sentencesOf(JSON.parse(read('apps/server/src/service/content/first/en.json')), 'first'),
  ];
  const promising = texts.filter(([key, text]) => PROOF.test(text) && !isFault(key)).map(([key]) => key);
  const afterTable = page.slice(page.indexOf('## Sentences'));
  const keysIn = (text: string): string[] => Array.from(text.matchAll(/`([a-z_.\-0-9]+)`/g), ([, key]) => key ?? '');
  const named = [...rows.flatMap((cells) => keysIn(cells[2] ?? '')), ...keysIn(afterTable)];
  expect(named.toSorted()).toEqual([...new Set(promising)].toSorted());
});

test('each check that keeps a promise exists, by its file and title', () => {
  const checks = rows.flatMap((cells) =>
    (cells[3] ?? '').split(' · ').map((check) => {
      const [, file = '', title = ''] = /^`([^`]+)`: (.+)$/.exec(check) ?? [];
      return { check, file, title };
    }),
  );
  expect(checks.length).toBeGreaterThan(rows.length);
  // A title in code may contain an escaped straight apostrophe.
  const plain = (text: string): string => text.replaceAll("\\'", "'").replaceAll('’', "'");
  for (const { check, file, title } of checks) {
    expect(title, check).not.toBe('');
    expect(plain(read(file)), check).toContain(plain(title));
  }
});
