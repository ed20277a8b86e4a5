import { isLogContradiction, verifyLogContradiction } from '@sathorn/transparency';
import { expect, it } from 'vitest';
import { type JudgedLog, judgeLog, type KeptLog, type LogCase } from './judge-log.ts';
import { stateOfSeen } from './seen-log.ts';
import { OTHER_LOG_KEY, POLICY, POLICY_OF_NOBODY, POLICY_OF_OTHER_LOG, TestingLog } from './testing-log.ts';

const NOW_S = 1_790_000_000;
const NOW_MS = NOW_S * 1_000;
const log = await new TestingLog().grow(300);
const note = log.note(NOW_S - 9, NOW_S - 12);
const judge = (change: Partial<LogCase>): Promise<JudgedLog> =>
  judgeLog({ kept: null, policy: POLICY, note, readFile: log.readFile, nowMs: NOW_MS, ...change });
const { keep } = await judge({});
if (keep === null) throw new Error('the first visit keeps nothing');
const kept: KeptLog = JSON.parse(JSON.stringify(keep));

it('a first visit keeps what two witnesses have cosigned, with the time of the earlier one', async () => {
  expect(await judge({})).toEqual({
    state: 'seen',
    keep: { policy: POLICY, note, seen: { entries: 300, witnesses: 2, confirmedMs: NOW_MS - 12_000, seenMs: NOW_MS } },
    findings: [],
  });
});

it('a later visit keeps the larger log that begins with the kept one, and comments of a policy change nothing', async () => {
  const grown = await log.fork().grow(700);
  const next = { kept, note: grown.note(NOW_S, NOW_S), readFile: grown.readFile };
  expect(await judge({ ...next, policy: `# moved\n${POLICY}` })).toMatchObject({
    state: 'seen',
    keep: { seen: { entries: 1_000 } },
    findings: [],
  });
  // The same one again, with newer cosignatures.
  expect(await judge({ kept, note: log.note(NOW_S, NOW_S) })).toMatchObject({
    state: 'seen',
    keep: { seen: { confirmedMs: NOW_MS } },
    findings: [],
  });
});

const quiet: readonly (readonly [string, JudgedLog['state'], Partial<LogCase>, Partial<KeptLog['seen']> | null])[] = [
  ['one old cosignature', 'stale', { note: log.note(NOW_S, NOW_S - 601) }, { witnesses: 2 }],
  ['old cosignatures', 'stale', { note: log.note(NOW_S - 7_200, NOW_S - 7_300) }, { confirmedMs: NOW_MS - 7_300_000 }],
  ['a cosignature far ahead', 'unconfirmed', { note: log.note(NOW_S, NOW_S + 601) }, null],
  ['one cosignature too few', 'unconfirmed', { note: log.note(NOW_S) }, null],
  ['no cosignature', 'unconfirmed', { note: log.note() }, null],
  ['a policy that asks nobody', 'alone', { policy: POLICY_OF_NOBODY }, { witnesses: 0, confirmedMs: null }],
  ['a page in place of the policy', 'unread', { policy: '<!doctype html>' }, null],
  ['a page in place of the note', 'unread', { note: '<!doctype html>\n' }, null],
];
it.each(quiet)('%s is told as %s and alarms nobody', async (_, state, change, seen) => {
  const judged = await judge(change);
  expect([judged.state, judged.findings]).toEqual([state, []]);
  if (seen === null) expect(judged.keep).toBeNull();
  else expect(judged.keep?.seen).toMatchObject(seen);
});

it('an older note of the same history, from a process that lags behind, alarms nobody and is not kept', async () => {
  const older = await new TestingLog().grow(200);
  expect(await judge({ kept, note: older.note(NOW_S, NOW_S) })).toEqual({ state: 'seen', keep: null, findings: [] });
  const later = NOW_MS + 3_600_000;
  expect(await judge({ kept, note: older.note(NOW_S, NOW_S), nowMs: later })).toMatchObject({ state: 'stale' });
  expect([stateOfSeen(kept.seen, NOW_MS), stateOfSeen(kept.seen, later)]).toEqual(['seen', 'stale']);
});

const fork = await (await new TestingLog().grow(100)).grow(200, 'other');
const larger = await fork.fork().grow(300);
const smaller = await (await new TestingLog().grow(100)).grow(156, 'other');
const empty = new TestingLog();
const seconds = [NOW_S, NOW_S] as const;
const loud: readonly (readonly [string, string, Partial<LogCase>])[] = [
  ['another history of the same size', 'forked', { note: fork.note(...seconds), readFile: fork.readFile }],
  ['a larger log that begins otherwise', 'forked', { note: larger.note(...seconds), readFile: larger.readFile }],
  ['another history, cosigned by nobody', 'forked', { note: fork.note(), readFile: fork.readFile }],
  ['a smaller log that is not the beginning', 'forked', { note: smaller.note(...seconds) }],
  [
    'a smaller log, the larger one’s tiles gone',
    'rolled_back',
    { note: smaller.note(...seconds), readFile: empty.readFile },
  ],
  ['a larger log without its tiles', 'unshown', { note: larger.note(...seconds), readFile: empty.readFile }],
  ['a larger log with the tiles of another', 'unshown', { note: larger.note(...seconds), readFile: log.readFile }],
  ['a note that was altered', 'signature', { note: note.replace('\n300\n', '\n301\n') }],
  ['a note that another key signed', 'signature', { note: new TestingLog(OTHER_LOG_KEY, log).note() }],
];
it.each(loud)('%s is found as %s, and what was kept stays', async (_, fault, change) => {
  const judged = await judge({ kept, ...change });
  expect(judged).toMatchObject({ state: 'differs', keep: null, findings: [{ kind: 'log', fault, entries: 300 }] });
  const [{ contradiction, kept: one, shown } = { contradiction: null, kept: '', shown: '' }] = judged.findings;
  expect([one, shown]).toEqual([note, change.note]);
  // Only a fork is proven, by a file that needs nothing else.
  expect(contradiction !== null).toBe(fault === 'forked');
  if (contradiction === null) return;
  expect(isLogContradiction(JSON.parse(JSON.stringify(contradiction)))).toBe(true);
  expect(await verifyLogContradiction(contradiction)).toBeNull();
});

it('a first visit finds a note that is not signed as the policy says, and keeps nothing', async () => {
  expect(await judge({ note: note.replace('\n300\n', '\n301\n') })).toMatchObject({
    state: 'differs',
    keep: null,
    findings: [{ fault: 'signature', entries: 0 }],
  });
});

it('other witnesses and another log are told, and followed from then on', async () => {
  expect(await judge({ kept, policy: POLICY_OF_NOBODY })).toMatchObject({
    state: 'alone',
    keep: { policy: POLICY_OF_NOBODY },
    findings: [{ fault: 'policy', kept: POLICY, shown: POLICY_OF_NOBODY, contradiction: null }],
  });
  const other = await new TestingLog(OTHER_LOG_KEY).grow(7);
  const shown = { kept, policy: POLICY_OF_OTHER_LOG, note: other.note(...seconds), readFile: other.readFile };
  const judged = await judge(shown);
  expect(judged).toMatchObject({
    state: 'seen',
    keep: { seen: { entries: 7 } },
    findings: [{ fault: 'other_log', kept: POLICY, shown: POLICY_OF_OTHER_LOG, entries: 300 }],
  });
  expect(await judge({ ...shown, kept: judged.keep })).toMatchObject({ state: 'seen', findings: [] });
});

it('other witnesses do not excuse another history', async () => {
  const judged = await judge({ kept, policy: POLICY_OF_NOBODY, note: fork.note(), readFile: fork.readFile });
  expect(judged.findings.map(({ fault }) => fault)).toEqual(['policy', 'forked']);
  expect(judged).toMatchObject({ state: 'differs', keep: null });
});

it('one thing is found once, however the log grows', async () => {
  const ids = [];
  for (const shown of [fork, larger]) {
    const { findings } = await judge({ kept, note: shown.note(...seconds), readFile: shown.readFile });
    ids.push(findings[0]?.id);
  }
  expect(new Set(ids).size).toBe(1);
});

it('a memory that the device’s storage has spoiled is begun anew', async () => {
  expect(await judge({ kept: { ...kept, note: 'x' } })).toMatchObject({ state: 'seen', findings: [] });
});
