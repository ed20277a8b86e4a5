import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type LoggedEntry, writeLoggedEntry } from '@sathorn/transparency';
import { describe, expect, it } from 'vitest';
import { judgeShownOffers, judgeVersions, NOTICE_HOURS, type OffersCase, readVersions } from './judge-offers.ts';
import { BEGAN_MS, HOUR_MS, MINUTE_MS, offerAt, recordAt } from './testing-platform.ts';

const T = BEGAN_MS;
const DAY_MS = 24 * HOUR_MS;
const FIELDS = { contracts: true, amount_min: '1.000000', amount_max: '1000.000000' };
const OTHER = { ...FIELDS, amount_max: '500.000000' };
const first = offerAt(T, 'coin/BTC/1', 0, FIELDS);
const second = (fromMs: number, change: { tMs?: number; atMs?: number } = {}) =>
  offerAt(change.tMs ?? T, 'coin/BTC/2', fromMs, OTHER, change.atMs ?? change.tMs ?? T);
const stopAt = (atMs: number) => recordAt(atMs, 'offer_stopped', 'coin/BTC/2', {});

/** The first entry is history; the others are not. */
function versionsOf(entries: readonly LoggedEntry[]) {
  const kept = entries.map((entry, index) => ({ index, isHistory: index === 0, text: writeLoggedEntry(entry) }));
  return readVersions({ kept });
}

describe('terms in the log', () => {
  it.each<[string, readonly LoggedEntry[], readonly string[]]>([
    ['known a day before', [first, second(T + DAY_MS)], []],
    [
      'known a minute less',
      [first, second(T + DAY_MS - MINUTE_MS)],
      ['The terms coin/BTC/2 have 23 h 59 min of notice, not 1 d.'],
    ],
    [
      'approved nine minutes before they were logged',
      [first, second(T + DAY_MS, { tMs: T + 9 * MINUTE_MS, atMs: T })],
      [],
    ],
    [
      'approved an hour before they were logged, as the platform says',
      [first, second(T + DAY_MS, { tMs: T + HOUR_MS, atMs: T })],
      ['The terms coin/BTC/2 have 23 h of notice, not 1 d.'],
    ],
    ['stopped in time', [first, second(T + HOUR_MS), stopAt(T + 1)], []],
    [
      'stopped after they had begun',
      [first, second(T + DAY_MS), stopAt(T + DAY_MS + 1)],
      ['The terms coin/BTC/2 were stopped after they had begun, at 2026-09-22T14:13:20.000Z.'],
    ],
    [
      'begun before they were logged',
      [first, second(T - HOUR_MS)],
      [
        'The terms coin/BTC/2 began 1 h before they were logged.',
        'The terms coin/BTC/2 have less than a minute of notice, not 1 d.',
      ],
    ],
    ['first terms, at once', [first, offerAt(T, 'coin/ETH/1', T, FIELDS)], []],
    [
      'first terms, dated back',
      [first, offerAt(T, 'coin/ETH/1', 0, FIELDS)],
      ['The terms coin/ETH/1 began 20717 d 14 h before they were logged.'],
    ],
    [
      'a version that is missing',
      [first, offerAt(T, 'coin/BTC/3', T + DAY_MS, OTHER)],
      ['The log lacks the terms before coin/BTC/3.'],
    ],
  ])('%s', (_name, entries, says) => {
    const { versions, findings } = versionsOf(entries);
    expect([...findings, ...judgeVersions(versions)].map((finding) => finding.says)).toEqual(says);
  });

  it('are refused in another form, and twice', () => {
    const broken = recordAt(T, 'offer', 'coin/BTC/2', { effective_from: '1', fields: 'x' });
    const { findings } = versionsOf([first, broken, offerAt(T, 'coin/BTC/1', 0, OTHER)]);
    expect(findings.map(({ says }) => says)).toEqual([
      'Entry 1 names terms of no known form.',
      'The log names the terms coin/BTC/1 twice.',
    ]);
  });

  it('have the notice that the database demands', () => {
    const folder = path.join(import.meta.dirname, '../../apps/server/migrations');
    const texts = ['baseline/offer.sql', '0620-selling-options.sql'].map((name) =>
      readFileSync(path.join(folder, name), 'utf8'),
    );
    const rows = texts.join().matchAll(/\('([a-z_]+)', '([0-9]+)(?: (hours|days))?'\)/g);
    const hours = [...rows].map(([, kind = '', count, unit]) => [kind, Number(count) * (unit === 'days' ? 24 : 1)]);
    expect(Object.fromEntries(hours)).toEqual(NOTICE_HOURS);
  });
});

describe('terms that are shown', () => {
  const { versions } = versionsOf([first, second(T + DAY_MS), offerAt(T, 'fee/contracts/1', 0, { levels: [] })]);
  const shown = (amount_max: string) => [{ of: 'coin/BTC', terms: { amount_min: '1', amount_max } }];
  const announced = [{ of: 'coin/BTC', fromMs: T + DAY_MS, fields: OTHER }];
  const told = { shown: [], changes: announced };

  it.each<[string, Partial<OffersCase>, readonly string[]]>([
    ['those of the log, in another spelling', { shown: shown('1000.0') }, []],
    ['others', { shown: shown('999') }, ['The platform shows other terms of coin/BTC than version 1 in the log.']],
    [
      'the next ones too early',
      { shown: shown('500') },
      ['The platform shows other terms of coin/BTC than version 1 in the log.'],
    ],
    [
      'the ones before, just after the change',
      { shown: shown('1000'), nowMs: T + DAY_MS + 9 * MINUTE_MS, changes: [] },
      [],
    ],
    ['the next ones, just after the change', { shown: shown('500'), nowMs: T + DAY_MS + 1, changes: [] }, []],
    [
      'the ones before, an hour after the change',
      { shown: shown('1000'), nowMs: T + DAY_MS + HOUR_MS, changes: [] },
      ['The platform shows other terms of coin/BTC than version 2 in the log.'],
    ],
    [
      'some that the log never named',
      { shown: [{ of: 'coin/ETH', terms: FIELDS }] },
      ['The platform shows terms of coin/ETH, and the log names none.'],
    ],
    [
      'a change that was not announced',
      { changes: [] },
      ['The platform does not announce the terms coin/BTC/2, which begin at 2026-09-22T14:13:20.000Z.'],
    ],
    ['changes that could not be read', { changes: null }, []],
    [
      'an announced change with other terms than the logged one',
      { changes: [{ ...announced[0], of: 'coin/BTC', fromMs: T + 23 * HOUR_MS, fields: FIELDS }, ...announced] },
      ['The platform announces terms of coin/BTC from 2026-09-22T13:13:20.000Z that the log does not name.'],
    ],
  ])('%s', (_name, change, says) => {
    const found = judgeShownOffers({ versions, ...told, nowMs: T + 20 * MINUTE_MS, ...change });
    expect(found.map((finding) => finding.says)).toEqual(says);
  });
});
