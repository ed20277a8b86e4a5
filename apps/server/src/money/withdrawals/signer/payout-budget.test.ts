import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPayoutBudget } from './payout-budget.ts';
import { pinAuthorisationKey } from './payout-guard.ts';

const HOUR_MS = 3_600_000;
const KEY = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';

describe('the signer’s budget', () => {
  let folder: string;
  let wallMs = Date.parse('2026-11-20T10:00:00Z');
  let passedMs = 0;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'sathorn-budget-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const open = () =>
    openPayoutBudget(
      folder,
      () => wallMs,
      () => passedMs,
    );
  const pass = (ms: number): void => {
    wallMs += ms;
    passedMs += ms;
  };
  const payout = (n: number, address = '0xa') => ({ id: `payout ${n}`, address, units: 10n });
  const next = { id: 'next', address: '0xa' };

  it('counts an hour, a day and the first day of an address, also across a restart', () => {
    const budget = open();
    expect(budget.before(next)).toEqual({ hour: 0n, day: 0n, newAddress: 0n });
    budget.book(payout(1), true);
    pass(2 * HOUR_MS);
    budget.book(payout(2), true);
    budget.book(payout(3, '0xb'), true);
    for (const one of [budget, open()]) expect(one.before(next)).toEqual({ hour: 20n, day: 30n, newAddress: 20n });
    pass(22 * HOUR_MS + 1);
    expect(open().before(next)).toEqual({ hour: 0n, day: 20n, newAddress: null });
  });

  it('counts a payout once, however often it is tried, and never against itself', () => {
    const budget = open();
    for (let n = 0; n < 3; n += 1) budget.book(payout(1), true);
    expect(budget.before(next).day).toBe(10n);
    expect(open().before(payout(1)).day).toBe(0n);
  });

  it('recognises an address that was paid by two people’s votes, and charges nothing for that payout', () => {
    const budget = open();
    budget.book(payout(1), false);
    for (const one of [budget, open()]) expect(one.before(next)).toEqual({ hour: 0n, day: 0n, newAddress: null });
  });

  it('frees nothing when the clock is set back or forward while it runs, or back before a restart', () => {
    const budget = open();
    budget.book(payout(1), true);
    wallMs += 48 * HOUR_MS;
    expect(budget.before(next).hour).toBe(10n);
    wallMs -= 96 * HOUR_MS;
    expect(budget.before(next).hour).toBe(10n);
    expect(open().before(next).hour).toBe(10n);
    wallMs += 48 * HOUR_MS;
  });

  it('reads its limits from its file, and refuses a damaged one', () => {
    open();
    const file = path.join(folder, 'budget.json');
    const kept = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...kept, limits: { hour: '7', day: '8', new_address: '9' } }));
    expect(open().limits).toEqual({ hour: 7n, day: 8n, newAddress: 9n });
    for (const damaged of ['', '{}', JSON.stringify({ ...kept, limits: { hour: '-7', day: '8', new_address: '9' } })]) {
      writeFileSync(file, damaged);
      expect(open).toThrow(/damaged/);
    }
  });

  it('pins the key that signs authorisations, and refuses another one', () => {
    const first = pinAuthorisationKey(folder, KEY, new Date('2026-11-20T10:00:00Z'));
    expect(first).toMatchObject({ keys: [{ publicKeyHex: KEY }], sinceMs: Date.parse('2026-11-20T10:00:00Z') });
    expect(pinAuthorisationKey(folder, KEY)).toEqual(first);
    expect(() => pinAuthorisationKey(folder, '00'.repeat(32))).toThrow(/nothing is paid/);
  });
});
