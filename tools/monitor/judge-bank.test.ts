import { type LoggedEntry, writeLoggedEntry } from '@sathorn/transparency';
import { expect, it } from 'vitest';
import { judgeBank } from './judge-bank.ts';
import { BEGAN_MS, HOUR_MS, statementAt } from './testing-platform.ts';

const one = statementAt(BEGAN_MS, 's1');
const next = (change: Record<string, string> = {}): LoggedEntry =>
  statementAt(BEGAN_MS, 's2', { opening: '120', closing: '140', previous: 's1', ...change });

it.each<[string, readonly LoggedEntry[], Readonly<Record<string, number>>, readonly string[]]>([
  ['a statement and the one that continues it', [one, next()], { s1: 2, s2: 2 }, []],
  ['a line that is missing', [one], { s1: 1 }, ['The statement s1 has 2 lines, and the log names 1 of them.']],
  ['a line that joined its statement later', [one], { s1: 1, '': 1 }, []],
  ['a line more', [one], { s1: 3 }, ['The statement s1 has 2 lines, and the log names 3 of them.']],
  [
    'sums that do not add up',
    [statementAt(BEGAN_MS, 's1', { received: '31' })],
    { s1: 2 },
    ['The statement s1 does not add up to its closing balance.'],
  ],
  [
    'an opening that nothing closed with',
    [one, next({ opening: '121', closing: '141' })],
    { s1: 2, s2: 2 },
    ['The statement s2 does not open with what s1 closed with, or another one did.'],
  ],
  [
    'two statements that continue the same one',
    [one, next(), statementAt(BEGAN_MS, 's3', { opening: '120', closing: '140', previous: 's1' })],
    { s1: 2, s2: 2, s3: 2 },
    ['The statement s3 does not open with what s1 closed with, or another one did.'],
  ],
  [
    'the first statement of a second account',
    [one, statementAt(BEGAN_MS, 's2', { opening: '7', closing: '27' })],
    { s1: 2, s2: 2 },
    [],
  ],
  ['another form', [statementAt(BEGAN_MS, 's1', { lines: 'two' })], {}, ['The statement s1 has no known form.']],
])('%s', (_name, entries, lines, says) => {
  const kept = entries.map((entry, index) => ({ index, isHistory: false, text: writeLoggedEntry(entry) }));
  expect(judgeBank({ kept, lines, newestMs: BEGAN_MS + HOUR_MS }).map((finding) => finding.says)).toEqual(says);
});

it('waits for the lines of a statement that was just logged', () => {
  const kept = [{ index: 0, isHistory: false, text: writeLoggedEntry(one) }];
  expect(judgeBank({ kept, lines: {}, newestMs: BEGAN_MS + 20_000 })).toEqual([]);
});
