import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runAsOwner } from '../../platform/database/testing.ts';
import { CLEAR_VERDICT, openWithdrawalsTest, usdt, type WithdrawalsTest } from './testing-withdrawals.ts';

describe('the file for the bank', () => {
  let room: WithdrawalsTest;
  let customers = 900n;
  beforeAll(async () => {
    room = await openWithdrawalsTest();
  });
  afterAll(() => room.close());
  afterEach(() => {
    room.word = CLEAR_VERDICT;
  });

  const asOwnerOf = (text: string) => runAsOwner(room.test.owner, `SET session_replication_role = replica; ${text}`);
  /** Creates a payment that needs no vote. */
  const approved = async (): Promise<string> => {
    customers += 1n;
    const old = new Date('2026-01-01T00:00:00Z');
    const target = randomBytes(16).toString('base64url');
    room.payees.set(target, {
      kind: 'card',
      id: target,
      name: 'SCB',
      bank: 'SCB',
      ifsc: '0123',
      number: '0123456789',
      realName: 'Nicha Phromsiri',
      phone: '0812345678',
      email: 'bank@demo.example',
      addedAt: old,
      usableFrom: old,
      accountDigest: randomBytes(32).toString('hex'),
    });
    await room.fund(customers, 100);
    const answer = await room.call('extract', customers, { channel: 'bank', target, amount: 50, paypass: '830274' });
    expect(answer).toMatchObject({ ok: true, effect: { step: 'approved' } });
    return answer.effect.id;
  };
  const exported = () => room.ask<{ count: number; csv: string }>('POST /admin/withdrawals/export', {});

  it('contains only what the checker has scanned, and nothing while the checker has a finding', async () => {
    const id = await approved();
    const [taken] = await room.test.database.query<{ sequence: bigint }>({
      name: '',
      text: `SELECT t.sequence FROM withdrawals.withdrawal w JOIN ledger.transfer t ON t.resolves = w.hold WHERE w.id = '${id}'`,
    });
    const sequence = taken?.sequence ?? 0n;
    for (const word of [null, { sequence: sequence - 1n, isClear: true }, { sequence, isClear: false }]) {
      room.word = word;
      expect(await exported()).toMatchObject({ ok: false, refusal: 'payments_unchecked' });
    }
    room.word = { sequence, isClear: true };
    // A later payment waits for the next file.
    const later = await approved();
    const first = await exported();
    expect(first).toMatchObject({ ok: true, effect: { count: 1 } });
    expect(first.effect.csv).toContain('"0123456789","Nicha Phromsiri"');
    room.word = CLEAR_VERDICT;
    expect(await exported()).toMatchObject({ ok: true, effect: { count: 1 } });
    expect(await exported()).toMatchObject({ ok: true, effect: { count: 0 } });
    const steps = await room.test.database.query({
      name: '',
      text: `SELECT DISTINCT step FROM withdrawals.withdrawal WHERE id IN ('${id}', '${later}')`,
    });
    expect(steps).toEqual([{ step: 'sending' }]);
    expect(await room.available(customers)).toBe(usdt(50));
  });

  it.each([
    ['without an authorisation', 'DELETE FROM withdrawals.authorisation'],
    [
      'whose authorisation nobody signed',
      `UPDATE withdrawals.authorisation SET signature = decode(repeat('00', 64), 'hex')`,
    ],
    ['of another amount than was authorised', 'UPDATE withdrawals.withdrawal SET amount = amount + 1'],
  ])('contains no payment %s', async (_what, change) => {
    const id = await approved();
    await asOwnerOf(`${change} WHERE ${change.includes('authorisation') ? 'withdrawal_id' : 'id'} = '${id}'`);
    expect(await exported()).toMatchObject({ ok: true, effect: { count: 0 } });
    expect(room.faults.map(String).join()).toContain(`withdrawal ${id} has no valid authorisation`);
  });
});
