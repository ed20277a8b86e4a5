import { type LoggedEntry, writeLoggedEntry } from '@sathorn/transparency';
import { describe, expect, it } from 'vitest';
import { EMPTY_LOG, followLog, type LogMemory } from './follow-log.ts';
import { BEGAN_MS, HOUR_MS, headsAt, lineAt, MINUTE_MS, recordAt } from './testing-platform.ts';

const HASHES = ['a', 'b', 'c'].map((letter) => letter.repeat(64));
const follow = (entries: readonly (LoggedEntry | string)[], before: LogMemory = EMPTY_LOG, from = 0) => {
  const texts = entries.map((entry, n) => ({
    index: from + n,
    text: typeof entry === 'string' ? entry : writeLoggedEntry(entry),
  }));
  const { memory, findings } = followLog(before, texts, BEGAN_MS + 24 * HOUR_MS);
  return { memory, says: findings.map(({ says }) => says) };
};
const [T0, T1, T2] = [BEGAN_MS, BEGAN_MS + 10_000, BEGAN_MS + 20_000];
const halt = (tMs: number, subject: string, atMs: number) =>
  recordAt(tMs, 'halt', subject, { event: 'halted' }, { atMs });
const ticks = (tMs: number, number: string, hash = HASHES[0] ?? '') => headsAt(tMs, { ticks: { BTC: [number, hash] } });

describe('what a log says by itself', () => {
  it.each<[string, readonly (LoggedEntry | string)[], readonly string[]]>([
    ['heads that go on, and one that is named again', [ticks(T0, '7'), ticks(T1, '7'), ticks(T2, '9')], []],
    ['a head that goes back', [ticks(T0, '7'), ticks(T1, '6')], ['Entry 1 sets ticks BTC back from number 7 to 6.']],
    [
      'one number with two hashes',
      [ticks(T0, '7'), ticks(T1, '7', HASHES[1])],
      ['Entry 1 gives number 7 of ticks BTC a second hash.'],
    ],
    [
      'the staff’s log, the promises and the sums, as the ticks',
      [
        headsAt(T0, {
          operators: ['5', HASHES[0] ?? ''],
          promises: ['5', HASHES[0] ?? ''],
          liabilities: ['5', HASHES[0] ?? ''],
        }),
        headsAt(T1, {
          operators: ['4', HASHES[0] ?? ''],
          promises: ['4', HASHES[0] ?? ''],
          liabilities: ['4', HASHES[0] ?? ''],
        }),
      ],
      ['promises', 'operators', 'liabilities'].map((chain) => `Entry 1 sets ${chain} back from number 5 to 4.`),
    ],
    [
      'a head of no known form',
      [headsAt(T0, { operators: ['05', HASHES[0] ?? ''] })],
      ['Entry 0 names a head of operators of no known form.'],
    ],
    ['heads that are unknown here', [headsAt(T0, { custody: { eth: {} } } as never)], []],
    ['a text that is no entry', ['{}'], ['Entry 0 of the log has no known form.']],
    [
      'history of years, and what is logged ten minutes late',
      [halt(T0, '1', 1), halt(T1 + 10 * MINUTE_MS, '2', T1)],
      [],
    ],
    [
      'a record that is dated back',
      [halt(T0, '1', 1), ticks(T0, '7'), ticks(T1, '8'), halt(T2, '2', T0 - 2 * HOUR_MS)],
      ['Entry 3 says that halt 2 happened 2 h before it was logged.'],
    ],
    [
      'a record that is dated back to before the log, in a batch with new ones',
      [halt(T0, '1', 1), halt(T0 + 1, '2', T0 + 1), halt(T0 + 2, '3', T0 - HOUR_MS)],
      ['Entry 2 says that halt 3 happened 1 h before it was logged.'],
    ],
    [
      'a record that is dated ahead',
      [ticks(T0, '7'), halt(T1, '1', T1 + HOUR_MS)],
      ['Entry 1 says that halt 1 happened 1 h after it was logged.'],
    ],
    [
      'an entry before an earlier one',
      [ticks(T0 + HOUR_MS, '7'), ticks(T0, '8')],
      ['Entry 1 was logged 1 h before an earlier one.'],
    ],
    [
      'an entry of tomorrow',
      [ticks(T0 + 25 * HOUR_MS, '7')],
      ['Entry 0 names a time to come, 2026-09-22T15:13:20.000Z, as when it was logged.'],
    ],
  ])('%s', (_name, entries, says) => {
    expect(follow(entries).says).toEqual(says);
  });

  it('goes on from what it knew, and from the same entries comes to the same', () => {
    const entries = [
      halt(T0, '1', 1),
      ticks(T0, '7'),
      recordAt(T1, 'box', 'b', { hash: HASHES[0] ?? '' }),
      lineAt(T1, 'l1', 's1'),
      ticks(T1, '8'),
      lineAt(T2, 'l2', 's1'),
      lineAt(T2, 'l3', null),
      ticks(T2, '6'),
    ];
    const whole = follow(entries);
    for (let cut = 0; cut <= entries.length; cut += 1) {
      const first = follow(entries.slice(0, cut));
      const second = follow(entries.slice(cut), JSON.parse(JSON.stringify(first.memory)), cut);
      expect([second.memory, [...first.says, ...second.says]]).toEqual([whole.memory, whole.says]);
    }
    expect(whole.memory).toMatchObject({ lines: { s1: 2, '': 1 }, newestMs: T2, isHistory: false });
    expect(whole.memory.kept.map(({ index, isHistory }) => [index, isHistory])).toEqual([[2, false]]);
  });
});
