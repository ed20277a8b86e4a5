import {
  changePassword,
  changePaymentPassword,
  finishOwnPasskey,
  finishProof,
  forgetPassword,
  loginCustomer,
  sendSmsCode,
  startOwnPasskey,
  startProof,
} from '@sathorn/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../platform/database/index.ts';
import { runAsOwner } from '../../platform/database/testing.ts';
import { sealContacts } from './contact-mac.ts';
import { createTestPasskey } from './second-factor/testing-passkey.ts';
import { openTestCustomers, type SignedUpCustomer, type TestCustomers } from './testing-customers.ts';

/** The key of `openTestCustomers`. */
const SESSION_KEY = Buffer.alloc(32, 2);
const DAY_MS = 24 * 3_600_000;
const NEW_PASSWORD = { password: 'Mekong77x', confirm: 'Mekong77x' };

describe('D16 whoever has the application’s login, and is a customer too', () => {
  let room: TestCustomers;
  let victim: SignedUpCustomer;
  let thief: SignedUpCustomer;
  beforeAll(async () => {
    room = await openTestCustomers();
    // Moves the sign-ups to before the time that the database will write.
    room.clock.step(Date.now() - 4 * DAY_MS - room.clock.now().getTime());
    victim = await room.signUp();
    thief = await room.signUp();
    room.clock.advance(3 * DAY_MS);
  });
  afterAll(async () => {
    await room.close();
    expect(room.faults).toEqual([]);
  });

  const app = <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    room.test.database.query<Row>({ name: '', text }, values);
  const changedAt = async (customer: bigint): Promise<number> => {
    const [row] = await app<{ at: Date | null }>('SELECT customers.credentials_changed_at($1) AS at', [customer]);
    return row?.at?.getTime() ?? 0;
  };
  const passkeyOf = async (of: SignedUpCustomer) => {
    const passkey = createTestPasskey();
    const { data } = await room.call(startOwnPasskey, { paypass: of.paypass }, { token: of.token });
    const made = { id: data.id, credential: passkey.register(data.options), name: 'Phone' };
    expect((await room.call(finishOwnPasskey, made, { token: of.token })).refusal).toBeNull();
    return passkey;
  };

  it('resets no password with a phone that it wrote into the customer’s row', async () => {
    let phone = '+66899999901';
    const since = new Date(room.clock.now().getTime() - 30 * DAY_MS);
    await app('UPDATE customers.customer SET phone = $2, phone_since = $3 WHERE id = $1', [victim.id, phone, since]);
    room.clock.advance(2 * DAY_MS);
    const forget = async () => {
      await room.call(sendSmsCode, { userphone: phone, must: 'forget' });
      const code = await room.codeFor(phone).catch(() => '000000');
      return room.call(forgetPassword, { mode: 'phone', phone, code, ...NEW_PASSWORD });
    };
    expect((await forget()).refusal).toBe('code_wrong');
    // The digest of the attacker's own phone beside it does not help either.
    const [own] = await app<{ phone_mac: Buffer }>('SELECT phone_mac FROM customers.customer WHERE id = $1', [
      thief.id,
    ]);
    phone = '+66899999902';
    await app('UPDATE customers.customer SET phone = $2, phone_mac = $3 WHERE id = $1', [
      victim.id,
      phone,
      own?.phone_mac,
    ]);
    room.clock.advance(DAY_MS);
    expect((await forget()).refusal).toBe('code_wrong');
    const digits = { password: '284917', confirm: '284917' };
    await room.call(sendSmsCode, { userphone: phone, must: 'edit' }, { token: victim.token });
    const code = await room.codeFor(phone).catch(() => '000000');
    const reset = await room.call(changePaymentPassword, { ...digits, code }, { token: victim.token });
    expect(reset.refusal).toBe('code_wrong');
    // The change counts as one that delays withdrawals, whatever time was written.
    expect(await changedAt(victim.id)).toBeGreaterThan(Date.now() - DAY_MS);
  });

  it('resets no password with a phone that has no seal, which the server’s next start would have sealed', async () => {
    const { id } = await room.signUp();
    const phone = '+66899999903';
    const plant = (what: string, value: string): Promise<string> =>
      app(`UPDATE customers.customer SET ${what} = $2, ${what}_since = now(), ${what}_mac = NULL WHERE id = $1`, [
        id,
        value,
      ]).then(() => 'taken', String);
    const answers = [await plant('phone', phone), await plant('email', 'thief@example.com')];
    const owner = openDatabase(room.test.owner, { connections: 1 });
    await sealContacts(owner, SESSION_KEY);
    await owner.close();
    room.clock.advance(3 * DAY_MS);
    await room.call(sendSmsCode, { userphone: phone, must: 'forget' });
    const code = await room.codeFor(phone).catch(() => '000000');
    const reset = await room.call(forgetPassword, { mode: 'phone', phone, code, ...NEW_PASSWORD });
    expect(reset.refusal).toBe('code_wrong');
    expect(answers).toEqual(Array(2).fill(expect.stringContaining('has no seal')));
  });

  it('removes no factor unnoticed: withdrawals are delayed, and the delay cannot be shortened', async () => {
    await passkeyOf(thief);
    await runAsOwner(
      room.test.owner,
      `ALTER TABLE customers.factor_change DISABLE TRIGGER USER;
       UPDATE customers.factor_change SET at = '2026-01-01'; ALTER TABLE customers.factor_change ENABLE TRIGGER USER`,
    );
    await app('DELETE FROM customers.passkey WHERE customer = $1', [thief.id]);
    expect(await changedAt(thief.id)).toBeGreaterThan(Date.now() - DAY_MS);
    await expect(
      app(`UPDATE customers.factor_change SET at = '2026-01-01' WHERE customer = $1`, [thief.id]),
    ).rejects.toThrow('does not go back');
    const before = await app('SELECT changed_at FROM customers.credential WHERE customer = $1', [thief.id]);
    await app(`UPDATE customers.credential SET changed_at = '2020-01-01' WHERE customer = $1`, [thief.id]);
    expect(await app('SELECT changed_at FROM customers.credential WHERE customer = $1', [thief.id])).toEqual(before);
    await expect(
      app(`UPDATE customers.customer SET phone_since = '2020-01-01' WHERE id = $1`, [victim.id]),
    ).rejects.toThrow('stay');
  });

  it.each([
    ['directly', 'SET wrong = 0, wrong_in_all = 0, locked_until = NULL'],
    ['with a lock that ends early', 'SET wrong = 0, wrong_in_all = wrong_in_all + 1, locked_until = NULL'],
    ['beside another hash', `SET hash = hash || 'x', wrong = 0, wrong_in_all = 0, locked_until = NULL`],
  ])('gets a bounded number of guesses of the six digits a day by setting the counts back %s', async (_how, change) => {
    const { id } = await room.signUp();
    let guesses = 0;
    for (let n = 0; n < 30; n += 1) {
      const [row] = await app<{ wrong: number; locked_until: Date | null }>(
        `UPDATE customers.credential SET wrong = 5, wrong_in_all = wrong_in_all + 5, locked_until = now() + interval '1 day'
         WHERE customer = $1 AND kind = 'payment' AND coalesce(locked_until < now(), true) RETURNING wrong, locked_until`,
        [id],
      );
      if (row) guesses += 5;
      await app(`UPDATE customers.credential ${change} WHERE customer = $1 AND kind = 'payment'`, [id]);
    }
    expect(guesses).toBe(55);
    const [kept] = await app(`SELECT wrong FROM customers.credential WHERE customer = $1 AND kind = 'payment'`, [id]);
    expect(kept).toEqual({ wrong: 5 });
    await expect(app(`UPDATE customers.credential SET set_back = '{}' WHERE customer = $1`, [id])).rejects.toThrow(
      'permission denied',
    );
    // The next day's round begins as usual, and its count includes the earlier guesses.
    await runAsOwner(
      room.test.owner,
      `ALTER TABLE customers.credential DISABLE TRIGGER USER;
       UPDATE customers.credential SET locked_until = now() - interval '1 second' WHERE customer = ${id};
       ALTER TABLE customers.credential ENABLE TRIGGER USER`,
    );
    const next = `SET wrong = 1, wrong_in_all = wrong_in_all + 1, locked_until = NULL`;
    await app(`UPDATE customers.credential ${next} WHERE customer = $1 AND kind = 'payment'`, [id]);
    expect(
      await app(`SELECT wrong, locked_until FROM customers.credential WHERE customer = $1 AND kind = 'payment'`, [id]),
    ).toEqual([{ wrong: 1, locked_until: null }]);
  });

  it.each([
    [
      'digits of a session',
      `UPDATE customers.credential SET wrong = 0, wrong_in_all = 0, locked_until = NULL WHERE kind = 'payment'`,
      ({ token }: SignedUpCustomer) =>
        room.call(changePaymentPassword, { old: '902716', password: '618394', confirm: '618394' }, { token }),
    ],
    [
      'passwords at the sign-in',
      'DELETE FROM customers.allowance',
      ({ username }: SignedUpCustomer) => room.call(loginCustomer, { username, password: 'k7Wm2xPr' }),
    ],
    [
      'old passwords of a session',
      `UPDATE customers.allowance SET count = 0, blocked_until = NULL`,
      ({ token }: SignedUpCustomer) => room.call(changePassword, { old: 'k7Wm2xPr', ...NEW_PASSWORD }, { token }),
    ],
  ])('guesses no more %s by setting the counts back between the tries', async (_what, setBack, guess) => {
    const refusals = async (between?: string): Promise<(string | null)[]> => {
      const customer = await room.signUp();
      const answers = [];
      for (let n = 0; n < 12; n += 1) {
        answers.push((await guess(customer)).refusal);
        if (between !== undefined) await app(between);
      }
      return answers;
    };
    const honest = await refusals();
    expect(new Set(honest).size).toBe(2);
    expect(await refusals(setBack)).toEqual(honest);
  });

  it('passes no second factor with a proof of its own that it copies into the other’s challenge', async () => {
    const [of, from] = [await room.signUp(), await room.signUp()];
    await passkeyOf(of);
    const own = await passkeyOf(from);
    const asked = { operation: 'payee', subject: 'testnet 0x1' } as const;
    const { data: mine } = await room.call(startProof, asked, { token: from.token });
    const answer = { id: mine.id, credential: own.sign(mine.options) };
    const { proof } = (await room.call(finishProof, answer, { token: from.token })).data;
    const { data: theirs } = await room.call(startProof, asked, { token: of.token });
    await app(
      `UPDATE customers.challenge SET answered_at = $3, proof_hash = (SELECT proof_hash FROM customers.challenge WHERE id = $2) WHERE id = $1`,
      [theirs.id, mine.id, room.clock.now()],
    ).catch(() => undefined);
    await app('UPDATE customers.challenge SET proof_hash = NULL WHERE id = $1', [mine.id]);
    await app(
      `UPDATE customers.challenge SET answered_at = $2, proof_hash = sha256('x') WHERE id = $1 AND proof_hash IS NULL`,
      [theirs.id, room.clock.now()],
    );
    const payee = { kind: 'payee', subject: 'testnet 0x1' } as const;
    const spent = await room.customers.checkSecondFactor(of.id, payee, proof, room.clock.now());
    expect(spent).toMatchObject({ ok: false, refusal: 'second_factor_wrong' });
    expect(await room.customers.checkSecondFactor(from.id, payee, proof, room.clock.now())).toMatchObject({
      ok: false,
    });
  });
});
