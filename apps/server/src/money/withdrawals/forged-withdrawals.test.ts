import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Money, money, zero } from '@sathorn/money';
import { type AuthorisedWithdrawal, authorisationText, type SignedText } from '@sathorn/proof';
import { peopleNeededFor } from '@sathorn/settlement';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../../checker/checker/index.ts';
import { runAsOwner } from '../../platform/database/testing.ts';
import { ed25519Signer } from '../../platform/proofs/index.ts';
import { openDepositAddresses } from '../chain/index.ts';
import {
  AUTHORISATION_SIGNER,
  CLEAR_VERDICT,
  HOT_WALLET_ADDRESS,
  openWithdrawalsTest,
  REFUSAL_KEY,
  usdt,
  type WithdrawalsTest,
} from './testing-withdrawals.ts';
import {
  approveUnattendedKind,
  RETURN_KIND,
  type RequestWithdrawalCommand,
  requestWithdrawalKind,
} from './withdrawal-kinds.ts';
import type { QuoteRow } from './withdrawal-store.ts';

const nobody = async () => new Set<bigint>();
/** The application's own statements, without its rules. */
const forged = { request: requestWithdrawalKind(nobody), pass: approveUnattendedKind(nobody) };
const amountOf = (whole: number) => money('USDT', usdt(whole));
const limitless = {
  dailyMax: amountOf(1e9),
  min: zero('USDT'),
  dayBegan: new Date(0),
  thresholds: { one_person_from: amountOf(1e9), two_people_from: amountOf(2e9) },
};
const NO_SIGNATURE = { body: '{}', signature: '00'.repeat(64), hash: '', key: '0'.repeat(16) };
const PAYPASS = { paypass: '830274' };
const DAY_MS = 24 * 3_600_000;

type Row = RequestWithdrawalCommand['withdrawal'];
interface Forged {
  readonly id: string;
  readonly address: string;
}

describe('D16 L4 whoever has the application’s login and no key', () => {
  let room: WithdrawalsTest;
  let count = 0;
  let customers = 800n;
  beforeAll(async () => {
    room = await openWithdrawalsTest();
  });
  afterAll(() => room.close());
  afterEach(() => {
    room.word = CLEAR_VERDICT;
  });

  const funded = async (whole: number): Promise<bigint> => {
    customers += 1n;
    await room.fund(customers, whole);
    return customers;
  };
  const asOwnerOf = (text: string) => runAsOwner(room.test.owner, `SET session_replication_role = replica; ${text}`);

  /** Inserts a withdrawal as the login could, by default of 998 USDT to an address that nobody has saved. */
  const insert = async (
    customer: bigint,
    more: Partial<Row> = {},
    sign: (id: string, row: Row) => SignedText = () => NO_SIGNATURE,
  ): Promise<Forged> => {
    count += 1;
    const id = randomUUID();
    const now = new Date();
    const withdrawal: Row = {
      order_number: `F${count}`,
      customer_id: customer,
      channel: 'testnet',
      kind: 'crypto',
      step: 'first_check',
      amount: amountOf(998),
      fee: zero('USDT'),
      rate: null,
      baht: null,
      people: 0,
      quote: null,
      payee_id: 'x',
      payee_name: 'x',
      chain: 'testnet',
      address: `0x${(count + 0xc000).toString(16).repeat(10)}`,
      payee_opening: randomBytes(32),
      payee_sealed: null,
      receiver: null,
      created_at: now,
      promised_at: now,
      delayed_until: null,
      delay_reason: null,
      ...more,
    };
    const command = { withdrawal, ...limitless, authorisation: sign(id, withdrawal) };
    const posted = await room.ledger.post(forged.request, command, { id, digest: 'forged' });
    if (!posted.ok) throw new Error(posted.refusal);
    if (withdrawal.people === 0)
      await room.ledger.post(forged.pass, { id, at: now }, { id: randomUUID(), digest: 'forged' });
    return { id, address: withdrawal.address ?? '' };
  };
  /** The columns of a wallet that this customer has saved. */
  const savedWallet = async (
    customer: bigint,
    usableFrom = new Date(Date.now() - DAY_MS),
  ): Promise<Pick<Row, 'payee_id' | 'payee_opening' | 'address'>> => {
    const payee = await room.save(customer, room.wallet(undefined, { usableFrom }));
    if (payee.kind !== 'wallet') throw new Error('a wallet was asked for');
    return { payee_id: payee.id, payee_opening: payee.opening, address: payee.address.toLowerCase() };
  };
  const authorisedAs =
    (change: Partial<AuthorisedWithdrawal> = {}, signer = AUTHORISATION_SIGNER) =>
    (id: string, row: Row): SignedText =>
      signer.sign(
        authorisationText({
          withdrawal: id,
          customer: String(row.customer_id),
          channel: row.channel,
          chain: row.chain,
          address: row.address ?? '',
          payee: row.payee_id,
          amount: row.amount,
          fee: row.fee,
          quote: row.quote,
          atMs: row.created_at.getTime(),
          ...change,
        }),
      );
  const rounds = async (n = 3): Promise<void> => {
    const signer = room.signer();
    for (let at = 0; at < n; at += 1) {
      await signer.round();
      await room.chain.mine();
      await room.watch();
    }
  };
  const found = async (): Promise<string[]> =>
    (
      await findViolations(room.test.checker, 'module', [
        { use: 'authorisation', publicKeyHex: AUTHORISATION_SIGNER.publicKeyHex },
      ])
    )
      .filter(({ invariant }) => /^WW/.test(invariant))
      .map(({ invariant, subjects }) => `${invariant} ${subjects.join(' ')}`);
  const forget = (id: string) =>
    asOwnerOf(`DELETE FROM withdrawals.authorisation WHERE withdrawal_id = '${id}';
      UPDATE withdrawals.withdrawal SET step = 'sending', created_at = '2026-01-01' WHERE id = '${id}'`);

  it('has nothing paid to a stranger’s address, five times', async () => {
    const victim = await funded(20_000);
    const addresses: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const inserted = await insert(victim).catch(() => null);
      if (inserted) addresses.push(inserted.address);
    }
    await rounds(4);
    expect(addresses).toEqual([]);
    expect(await room.available(victim)).toBe(usdt(20_000));
  });

  it('shows nobody a stranger’s address to deposit to', async () => {
    const victim = await funded(1);
    const mark = room.chain.config.xpub.slice(0, 16);
    const plant = (index: number, address: string) =>
      room.test.database.query(
        {
          name: '',
          text: 'INSERT INTO chain.address (chain, customer_id, index, address, xpub_mark) VALUES ($1, $2, $3, $4, $5)',
        },
        [room.chain.config.code, victim, index, address, mark],
      );
    await plant(90_000, `0x${'66'.repeat(20)}`);
    await expect(openDepositAddresses(room.test.database, room.chain.config).of(victim)).rejects.toThrow('not derived');
  });

  describe('is refused by the database', () => {
    it('with an existing payee and another address, or another customer’s payee', async () => {
      const [victim, other] = [await funded(5_000), await funded(5_000)];
      const wallet = await savedWallet(victim);
      await expect(insert(victim, { ...wallet, address: `0x${'77'.repeat(20)}` })).rejects.toThrow(
        /not the one that was/,
      );
      await expect(insert(victim, { ...wallet, payee_opening: randomBytes(32) })).rejects.toThrow(
        /not the one that was/,
      );
      await expect(insert(other, wallet)).rejects.toThrow(/payee is not saved/);
    });

    it('with a payee that it saved itself a month ago, as it says', async () => {
      const victim = await funded(5_000);
      const { payee_opening: opening, address } = await savedWallet(victim);
      const id = randomBytes(16).toString('base64url');
      const columns = 'id, owner, kind, place, name, sealed, digest, commitment, added_at';
      const plant = (more = '', values = '') =>
        room.test.database.query(
          {
            name: '',
            text: `INSERT INTO payees.payee (${columns}${more}) SELECT $1, owner, kind, 5, name, sealed, $2, commitment, now() - interval '30 days'${values}
                   FROM payees.payee WHERE owner = $3`,
          },
          [id, randomBytes(32), victim],
        );
      await expect(plant(', stored_at', ", now() - interval '30 days'")).rejects.toThrow(/permission/);
      await plant();
      await expect(insert(victim, { payee_id: id, payee_opening: opening, address })).rejects.toThrow(/must wait/);
    });

    it('with a new payee or changed credentials and no delay, or too short a one', async () => {
      const soon = new Date(Date.now() + DAY_MS / 2);
      const victim = await funded(5_000);
      const wallet = await savedWallet(victim, soon);
      await expect(insert(victim, wallet)).rejects.toThrow(/must wait/);
      const short = {
        step: 'delayed',
        delayed_until: new Date(soon.getTime() - 3_600_000),
        delay_reason: 'new_payee',
      } as const;
      await expect(insert(victim, { ...wallet, ...short })).rejects.toThrow(/must wait/);

      const changed = await funded(5_000);
      await asOwnerOf(
        `INSERT INTO customers.factor_change (customer, at) VALUES (${changed}, now() - interval '1 hour')`,
      );
      await expect(insert(changed, await savedWallet(changed))).rejects.toThrow(/must wait/);
    });

    it('of a frozen customer', async () => {
      const victim = await funded(5_000);
      await asOwnerOf(`INSERT INTO customers.freeze (id, customer, scopes, reason, made_by, made_by_name, until)
        VALUES (gen_random_uuid(), ${victim}, '{withdrawals}', 'takeover_suspected', 1, 'korn', now() + interval '1 day')`);
      await expect(insert(victim, await savedWallet(victim))).rejects.toThrow(/frozen/);
    });

    it('with an earlier time, to escape the day’s sum', async () => {
      const victim = await funded(5_000);
      const created_at = new Date(Date.now() - DAY_MS);
      await expect(insert(victim, { ...(await savedWallet(victim)), created_at })).rejects.toThrow(/another time/);
    });

    it('with a hold that belongs to another withdrawal', async () => {
      const victim = await funded(5_000);
      const wallet = await savedWallet(victim);
      const { id } = (
        await room.call('extract', victim, { channel: 'testnet', target: wallet.payee_id, amount: 50, ...PAYPASS })
      ).effect;
      await expect(
        room.test.database.query(
          {
            name: '',
            text: `INSERT INTO withdrawals.withdrawal (id, order_number, customer_id, channel, kind, step, amount, fee, hold, people, payee_id, payee_name, payee_opening, chain, address, created_at, promised_at)
                   SELECT gen_random_uuid(), 'F', customer_id, channel, kind, 'first_check', amount + 400000000, 0, hold - 1, 0, payee_id, payee_name, payee_opening, chain, address, now(), now()
                   FROM withdrawals.withdrawal WHERE id = $1`,
          },
          [id],
        ),
      ).rejects.toThrow(/hold is not/);
    });

    it('with a quote of another payee or amount, an expired one, and the same one twice at once', async () => {
      const victim = await funded(5_000);
      const [wallet, other] = [await savedWallet(victim), await savedWallet(victim)];
      const quoted = async (more: Partial<QuoteRow> = {}): Promise<string> => {
        const id = randomUUID();
        const { customer_id, payee_id, amount, valid_until } = {
          customer_id: victim,
          payee_id: wallet.payee_id,
          amount: amountOf(90),
          valid_until: new Date(Date.now() + 60_000),
          ...more,
        };
        await room.test.database.query(
          {
            name: '',
            text: `INSERT INTO withdrawals.quote (id, customer_id, channel, payee_id, amount, fee, valid_until) VALUES ($1, $2, 'testnet', $3, $4, 0, $5)`,
          },
          [id, customer_id, payee_id, amount.units, valid_until],
        );
        return id;
      };
      const given = { ...wallet, amount: amountOf(90) };
      await expect(insert(victim, { ...given, quote: await quoted({ payee_id: other.payee_id }) })).rejects.toThrow(
        /something else/,
      );
      await expect(insert(victim, { ...given, quote: await quoted({ amount: amountOf(9) }) })).rejects.toThrow(
        /something else/,
      );
      await expect(insert(victim, { ...given, quote: await quoted({ customer_id: 1n }) })).rejects.toThrow(
        /something else/,
      );
      await expect(insert(victim, { ...given, quote: randomUUID() })).rejects.toThrow(/something else/);
      const old = new Date(Date.now() - 3_600_000);
      await expect(insert(victim, { ...given, quote: await quoted({ valid_until: old }) })).rejects.toThrow(/expired/);
      const quote = await quoted();
      const twice = await Promise.allSettled(
        Array.from({ length: 6 }, () => insert(victim, { ...given, quote }, authorisedAs())),
      );
      expect(twice.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    it('100 at once around each limit: nothing above it goes without people, and nothing above the day’s highest', async () => {
      const [one, two, cap] = [await funded(20_000), await funded(20_000), await funded(40_000)];
      const at = async (customer: bigint, amount: Money<'USDT'>, people: number): Promise<number> => {
        const wallet = await savedWallet(customer);
        const all = Array.from({ length: 100 }, () => insert(customer, { ...wallet, amount, people }, authorisedAs()));
        return (await Promise.allSettled(all)).filter(({ status }) => status === 'fulfilled').length;
      };
      // 1,000 USDT need one person, 10,000 two.
      expect(await at(one, amountOf(100), 0)).toBe(9);
      expect(await at(two, amountOf(150), 1)).toBe(66);
      await asOwnerOf(
        `UPDATE offer.version SET fields = (fields::jsonb || '{"daily_none": "30000"}')::text WHERE kind = 'withdrawal'`,
      );
      expect(await at(cap, amountOf(400), 2)).toBe(75);
      await asOwnerOf(
        `UPDATE offer.version SET fields = (fields::jsonb || '{"daily_none": "1000000"}')::text WHERE kind = 'withdrawal'`,
      );
    });

    it('by a quote that it wrote itself, at a rate or a fee that nobody promised', async () => {
      const victim = await funded(2_000);
      const wallet = await savedWallet(victim);
      const order = { channel: 'testnet', target: wallet.payee_id, amount: 70 };
      const own = randomUUID();
      const { quote } = (await room.call('quote', victim, order)).effect as unknown as { quote: string };
      await room.test.database.query(
        {
          name: '',
          text: `INSERT INTO withdrawals.quote SELECT $1, customer_id, channel, payee_id, amount, 0, rate, baht, valid_until FROM withdrawals.quote WHERE id = $2`,
        },
        [own, quote],
      );
      const asked = (id: string) => room.call('extract', victim, { ...order, ...PAYPASS, quote: id });
      expect(await asked(own)).toMatchObject({ refusal: 'quote_expired' });
      expect(await asked(quote)).toMatchObject({ ok: true });
    });

    it('as a return of what is in a block already, so that nobody is paid and has it still', async () => {
      const victim = await funded(2_000);
      const wallet = await savedWallet(victim);
      const { id } = (
        await room.call('extract', victim, { channel: 'testnet', target: wallet.payee_id, amount: 60, ...PAYPASS })
      ).effect;
      await rounds(2);
      const [sent] = await room.test.database.query<{ step: string }>(
        { name: '', text: 'SELECT step FROM withdrawals.withdrawal WHERE id = $1' },
        [id],
      );
      expect(['sending', 'confirming']).toContain(sent?.step);
      const journal = randomUUID();
      const back = (text: string) => room.test.database.query({ name: '', text }, [id]);
      await expect(
        back(
          `UPDATE withdrawals.withdrawal SET step = 'returned', reason = 'chain_refused', finished_at = now(), journal = '${journal}' WHERE id = $1 AND step = 'confirming'`,
        ),
      ).rejects.toThrow(/has left the wallet/);
    });

    it('by the same table as the application’s rule', async () => {
      const units = fc.bigInt({ min: 0n, max: 10n ** 14n });
      const samples = fc
        .sample(fc.tuple(units, units, units), 300)
        .map(([sum, one, more]) => [sum, one + 1n, one + 1n + more + 1n] as const);
      for (const near of [999_999_999n, 1_000_000_000n, 9_999_999_999n, 10_000_000_000n])
        samples.push([near, usdt(1_000), usdt(10_000)]);
      const rows = await room.test.database.query<{ people: number }>(
        {
          name: '',
          text: 'SELECT withdrawals.people_for(s, o, t) AS people FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS a(s, o, t, n) ORDER BY n',
        },
        [0, 1, 2].map((n) => `{${samples.map((sample) => sample[n]).join()}}`),
      );
      expect(rows.map(({ people }) => people)).toEqual(
        samples.map(([sum, one, two]) =>
          peopleNeededFor(money('USDT', sum), {
            one_person_from: money('USDT', one),
            two_people_from: money('USDT', two),
          }),
        ),
      );
    });
  });

  describe('is refused by the signer, although the database accepts it', () => {
    // Pays first what the tests above had accepted.
    beforeAll(() => rounds(25));

    it.each<[string, (id: string, row: Row) => SignedText]>([
      ['without a signature', () => NO_SIGNATURE],
      ['signed with a key of its own', authorisedAs({}, ed25519Signer(randomBytes(32)))],
      ['with the authorisation of another withdrawal', authorisedAs({ withdrawal: randomUUID() })],
      ['with another amount', authorisedAs({ amount: amountOf(9) })],
      ['with another address', authorisedAs({ address: `0x${'12'.repeat(20)}` })],
      ['of another customer', authorisedAs({ customer: '17' })],
    ])('%s', async (_what, sign) => {
      const victim = await funded(2_000);
      const { id, address } = await insert(victim, await savedWallet(victim), sign);
      await rounds();
      expect(await room.paidTo(address)).toBe(0n);
      expect(room.waits).toContainEqual({ id, waitsFor: 'authorisation' });
      expect(await found()).toEqual([`WW6 ${id}`]);
      await forget(id);
    });

    it('without any authorisation', async () => {
      const victim = await funded(2_000);
      const { id, address } = await insert(victim, await savedWallet(victim), authorisedAs());
      await asOwnerOf(`DELETE FROM withdrawals.authorisation WHERE withdrawal_id = '${id}'`);
      await rounds();
      expect(await room.paidTo(address)).toBe(0n);
      expect(await found()).toEqual([`WW5 ${id}`]);
      await forget(id);
    });

    it('begun by the signer’s login with a text of its own, which is never signed again', async () => {
      const victim = await funded(2_000);
      const { id, address } = await insert(victim, await savedWallet(victim));
      const [last] = await room.signerDatabase.query<{ nonce: bigint | null }>(
        { name: '', text: `SELECT withdrawals.last_nonce('testnet', '${HOT_WALLET_ADDRESS}') AS nonce` },
        [],
      );
      const nonce = (last?.nonce ?? -1n) + 1n;
      await room.signerDatabase.transaction(async (transaction) => {
        await transaction.query(
          {
            name: '',
            text: `INSERT INTO withdrawals.payout (withdrawal_id, chain, wallet, nonce) VALUES ($1, 'testnet', '${HOT_WALLET_ADDRESS}', $2)`,
          },
          [id, nonce],
        );
        await transaction.query(
          {
            name: '',
            text: `INSERT INTO withdrawals.outbox (hash, withdrawal_id, attempt, raw, max_fee) VALUES ($1, $2, 1, '0xaa', 1)`,
          },
          [`0x${randomBytes(32).toString('hex')}`, id],
        );
      });
      const hasty = room.signer(undefined, 0);
      for (let n = 0; n < 3; n += 1) await hasty.round();
      await room.chain.mine();
      expect(await room.paidTo(address)).toBe(0n);
      expect(room.faults.map(String).join()).toContain('was not signed for what it is stored for');
      expect((await found()).map((line) => line.slice(0, 3))).toContain('WW9');
      // Nothing more can be paid before this nonce, so the test goes back to the earlier state.
      await asOwnerOf(
        `DELETE FROM withdrawals.outbox WHERE withdrawal_id = '${id}'; DELETE FROM withdrawals.payout WHERE withdrawal_id = '${id}'`,
      );
      await forget(id);
    });
  });

  describe('an authorised withdrawal', () => {
    const asked = async (customer: bigint, amount = 20): Promise<Forged> => {
      const { payee_id: target, address } = await savedWallet(customer);
      const answer = await room.call('extract', customer, { channel: 'testnet', target, amount, ...PAYPASS });
      expect(answer).toMatchObject({ ok: true, effect: { step: 'approved' } });
      return { id: answer.effect.id, address: address ?? '' };
    };
    const isPaid = async ({ address }: Forged): Promise<boolean> => (await room.paidTo(address)) > 0n;

    it('waits for the checker, also during a finding, and is paid after both', async () => {
      const payout = await asked(await funded(100));
      for (const [word, waitsFor] of [
        [null, 'checker'],
        [{ sequence: 1n, isClear: true }, 'checker'],
        [{ sequence: CLEAR_VERDICT.sequence, isClear: false }, 'finding'],
      ] as const) {
        room.word = word;
        await rounds(1);
        expect(room.waits).toEqual([{ id: payout.id, waitsFor }]);
        expect(await isPaid(payout)).toBe(false);
      }
      room.word = CLEAR_VERDICT;
      await rounds(2);
      expect(await isPaid(payout)).toBe(true);
      expect(await found()).toEqual([]);
    });

    it('waits for two people beyond the signer’s budget, which small ones use up and a restart keeps', async () => {
      const file = path.join(room.folder, 'budget.json');
      const before = readFileSync(file, 'utf8');
      const limits = { hour: String(usdt(100)), day: String(usdt(100_000)), new_address: String(usdt(50)) };
      writeFileSync(file, JSON.stringify({ ...JSON.parse(before), spent: [], limits }));
      const customer = await funded(900);
      const small = [];
      for (let n = 0; n < 7; n += 1) small.push(await asked(customer));
      await rounds(3);
      // Each pays 18.98.
      expect((await Promise.all(small.map(isPaid))).filter(Boolean)).toHaveLength(5);
      const waiting = room.waits.map(({ id }) => id);
      expect(room.waits.every(({ waitsFor }) => waitsFor === 'budget')).toBe(true);
      expect(waiting).toHaveLength(2);
      // rounds() makes a new signer, which reads the file that the first one wrote.
      await rounds(2);
      expect(room.waits.map(({ id }) => id)).toEqual(waiting);

      const [first = '', second = ''] = waiting;
      const release = (id: string, change = '{}') =>
        asOwnerOf(`INSERT INTO operators.operator (id, work_name, roles) OVERRIDING SYSTEM VALUE VALUES (91, 'aa1', '{finance}'), (92, 'aa2', '{compliance}') ON CONFLICT DO NOTHING;
          WITH a AS (INSERT INTO operators.approval (id, kind, subject, content, fingerprint, need, roles, status, decided_at)
            SELECT gen_random_uuid(), 'payout_release', w.id::text, (jsonb_build_object('id', w.id::text, 'customer', w.customer_id::text, 'channel', w.channel, 'amount', w.amount::text,
              'fee', w.fee::text, 'payee', w.payee_id, 'chain', w.chain, 'address', w.address) || '${change}')::text, sha256('{}'), 2, '{finance,compliance}', 'approved', now()
            FROM withdrawals.withdrawal w WHERE w.id = '${id}' RETURNING id)
          INSERT INTO operators.vote (approval, operator, session, decision, fingerprint, role)
            SELECT a.id, o.id, gen_random_uuid(), 'approve', sha256('{}'), 'finance' FROM a CROSS JOIN (VALUES (91), (92)) AS o(id)`);
      await release(first);
      // The two people agreed to other content.
      await release(second, '{"amount": "1"}');
      await rounds(3);
      expect(room.waits).toEqual([{ id: second, waitsFor: 'budget' }]);
      writeFileSync(file, before);
      await rounds(3);
      expect(room.waits).toEqual([]);
      expect(await Promise.all(small.map(isPaid))).toEqual(small.map(() => true));
    });

    it('from before authorisations waits for two people, and is then paid', async () => {
      const trust = path.join(room.folder, 'authorisation.json');
      const before = readFileSync(trust, 'utf8');
      const customer = await funded(100);
      room.word = null;
      const old = [await asked(customer), await asked(customer)];
      for (const { id } of old) await asOwnerOf(`DELETE FROM withdrawals.authorisation WHERE withdrawal_id = '${id}'`);
      // Simulates that this signer first started a moment from now.
      writeFileSync(
        trust,
        JSON.stringify({ ...JSON.parse(before), since: new Date(Date.now() + 1_000).toISOString() }),
      );
      room.word = CLEAR_VERDICT;
      await rounds(2);
      expect(room.waits).toEqual(old.map(({ id }) => ({ id, waitsFor: 'authorisation' })));
      for (const { id } of old)
        await asOwnerOf(`WITH a AS (INSERT INTO operators.approval (id, kind, subject, content, fingerprint, need, roles, status, decided_at)
            SELECT gen_random_uuid(), 'payout_release', w.id::text, jsonb_build_object('id', w.id::text, 'customer', w.customer_id::text, 'channel', w.channel, 'amount', w.amount::text,
              'fee', w.fee::text, 'payee', w.payee_id, 'chain', w.chain, 'address', w.address)::text, sha256('{}'), 2, '{finance,compliance}', 'approved', now()
            FROM withdrawals.withdrawal w WHERE w.id = '${id}' RETURNING id)
          INSERT INTO operators.vote (approval, operator, session, decision, fingerprint, role)
            SELECT a.id, o.id, gen_random_uuid(), 'approve', sha256('{}'), 'finance' FROM a CROSS JOIN (VALUES (91), (92)) AS o(id)`);
      await rounds(3);
      expect(await Promise.all(old.map(isPaid))).toEqual([true, true]);
      writeFileSync(trust, before);
    });

    /** Gives a payout back that is in a block, under a seal of the intruder's own. */
    const giveBack = async (id: string) => {
      const key = createSecretKey(Buffer.alloc(32, 99));
      const back = { id, at: new Date(), key };
      expect(await room.ledger.post(RETURN_KIND, back, { id: randomUUID(), digest: 'forged' })).toMatchObject({
        ok: true,
      });
    };
    const breaches = async () =>
      (await findViolations(room.test.checker, 'module', [], { payout: REFUSAL_KEY.export().toString('hex') }))
        .filter(({ invariant }) => /^CU|WW11/.test(invariant))
        .map(({ invariant, subjects }) => `${invariant} ${subjects.join(' ')}`);

    it('is given back while another’s transfer of its amount is written twice, so that the sums are right, and found', async () => {
      const customer = await funded(100);
      const wallet = await savedWallet(customer);
      const same = async () =>
        (await room.call('extract', customer, { channel: 'testnet', target: wallet.payee_id, amount: 20, ...PAYPASS }))
          .effect.id;
      const [given, doubled] = [await same(), await same()];
      await rounds(2);
      const before = (await breaches()).filter((line) => line.startsWith('CU'));
      await room.test.database.query(
        {
          name: '',
          text: `WITH gone AS (DELETE FROM deposits.hot_transfer WHERE hash IN (SELECT hash FROM withdrawals.outbox WHERE withdrawal_id = $1))
                 INSERT INTO deposits.hot_transfer (chain, hash, output, direction, sender, receiver, amount, block_height, block_hash, seal)
                 SELECT chain, hash, output + 1, direction, sender, receiver, amount, block_height, block_hash, seal FROM deposits.hot_transfer
                 WHERE hash IN (SELECT hash FROM withdrawals.outbox WHERE withdrawal_id = $2)`,
        },
        [given, doubled],
      );
      await giveBack(given);
      expect(await breaches()).toEqual([...before, `CU10 ${doubled}`, `WW11 ${given}`].toSorted());
      await asOwnerOf(`UPDATE withdrawals.withdrawal SET refusal_seal = NULL WHERE id = '${given}'`);
    });

    it('that the chain has paid and nobody has read yet is given back under a forged seal, and found before it is read', async () => {
      const customer = await funded(100);
      // What the test before this one has left.
      const before = (await breaches()).filter((line) => line.startsWith('CU'));
      const payout = await asked(customer);
      await room.signer().round();
      await room.chain.mine();
      expect(await isPaid(payout)).toBe(true);
      const app = (text: string, values: unknown[]) =>
        room.test.database.query<{ hash: string }>({ name: '', text }, values);
      const [sent] = await app('SELECT hash FROM withdrawals.outbox WHERE withdrawal_id = $1', [payout.id]);
      const step = (to: string, more = '') =>
        app(`UPDATE withdrawals.withdrawal SET step = '${to}', version = version + 1 ${more} WHERE id = $1`, [
          payout.id,
        ]);
      // From `sending` two people must have called it lost, so the login says that a block has it.
      await expect(step('returned', ', finished_at = now()')).rejects.toThrow('is lost');
      await step('confirming', `, hash = '${sent?.hash}', block_height = 1, block_hash = '0x${'1'.repeat(64)}'`);
      await expect(
        step('returned', `, reason = 'chain_refused', finished_at = now(), journal = gen_random_uuid()`),
      ).rejects.toThrow('without a seal');
      await giveBack(payout.id);
      expect(await room.available(customer)).toBe(usdt(100));

      expect(await breaches()).toEqual([...before, `WW11 ${payout.id}`]);
      await room.watch();
      expect(await breaches()).toEqual([...before, `CU3 ${sent?.hash}`, `WW11 ${payout.id}`]);
      // Hiding what was read leaves less in the wallet than the watcher has sealed.
      await app('DELETE FROM deposits.hot_transfer WHERE hash = $1', [sent?.hash]);
      expect(await breaches()).toEqual([expect.stringMatching(/^CU1 testnet hot -/), ...before, `WW11 ${payout.id}`]);
    });
  });
});
