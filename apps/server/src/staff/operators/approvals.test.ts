import { randomUUID } from 'node:crypto';
import type { DecisionRefusal, OperatorRole } from '@sathorn/api';
import { voterIdOf, writeVote } from '@sathorn/proof';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type AccountKey,
  customerAccount,
  houseAccount,
  type JournalKind,
  type Ledger,
  openLedger,
} from '../../ledger/index.ts';
import { Bus } from '../../platform/bus/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { type Database, openDatabase, type Statement } from '../../platform/database/index.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import { demoVoterOf, insertVoter, markPinned, readBallot, signAsDemoVoter } from '../votes/index.ts';
import { openApprovals } from './approvals.ts';
import { openAuditLog } from './audit.ts';
import { createOperatorRow } from './operator-store.ts';
import { votedKind } from './voted-kind.ts';

const text = (sql: string): Statement => ({ name: '', text: sql });

/** The secret from which the keys of this test's people are derived. */
const SECRET = Buffer.alloc(32, 7);

describe('an approval', () => {
  let test: TestDatabase;
  let owner: Database;
  let app: Database;
  const approvals = openApprovals();
  let people: Record<'tan' | 'korn' | 'fah' | 'mai', OperatorSession>;

  const person = async (workName: string, roles: OperatorRole[], customer: bigint | null = null) => {
    const id = await createOperatorRow(owner, workName, roles, Buffer.alloc(32), 1);
    if (customer) await owner.query(text('UPDATE operators.operator SET customer = $2 WHERE id = $1'), [id, customer]);
    const sessionId = randomUUID();
    await owner.query(
      text(
        `INSERT INTO operators.session (id, token_hash, operator, factor, device, address, created_at, used_at) VALUES ($1, $2, $3, 'authenticator', 'd', 'a', now(), now())`,
      ),
      [sessionId, Buffer.from(sessionId.replaceAll('-', '').repeat(2), 'hex'), id],
    );
    // A key of this person that the owner has pinned.
    const { key: public_key } = demoVoterOf(SECRET, id, roles);
    const voter = voterIdOf(public_key);
    const row = {
      id: voter,
      operator: id,
      kind: 'demo' as const,
      public_key,
      party: '',
      passkey: null,
      name: workName,
    };
    await insertVoter(owner, row);
    await markPinned(owner, voter, roles);
    return { id, workName, roles, sessionId, endsAt: new Date() };
  };
  /** The signature that the person's own device makes. */
  const signature = async (operator: OperatorSession, approval: string, decision: string) => {
    const ballot = await readBallot(app, approval);
    if (!ballot) return { key: null, proof: null };
    const vote = writeVote(ballot, String(operator.id), decision as 'approve');
    return {
      key: voterIdOf(demoVoterOf(SECRET, operator.id, []).key),
      proof: signAsDemoVoter(SECRET, operator.id, vote),
    };
  };
  /** Inserts a confirmation in the state in which the step-up call leaves it. */
  const confirmed = async (
    operator: OperatorSession,
    { id, fingerprint, decision = 'approve' }: { id: string; fingerprint: string; decision?: string },
    expires = '2 minutes',
  ): Promise<OperatorSession> => {
    const stepUp = randomUUID();
    const { key, proof } = await signature(operator, id, decision);
    await owner.query(
      text(
        `INSERT INTO operators.challenge (id, purpose, operator, session, act, subject, fingerprint, challenge, expires_at, confirmed_at, confirmed_by, vote_key, proof)
         VALUES ($1, 'decision', $2, $3, $4, $5, $6, repeat('x', 43), now() + $7::interval, now(), 'authenticator', $8, $9)`,
      ),
      [
        stepUp,
        operator.id,
        operator.sessionId,
        `approval.${decision}`,
        id,
        Buffer.from(fingerprint, 'hex'),
        expires,
        key,
        proof,
      ],
    );
    return { ...operator, stepUp };
  };
  const opened = (over: Partial<Parameters<typeof approvals.open>[1]> = {}) =>
    app.transaction((transaction) =>
      approvals.open(transaction, {
        kind: 'withdrawal',
        subject: randomUUID(),
        fingerprintOf: { amount: '12.5', to: 'somewhere' },
        need: 2,
        madeBy: null,
        roles: ['finance', 'compliance'],
        ...over,
      }),
    );
  const vote = async (
    operator: OperatorSession,
    of: { id: string; fingerprint: string },
    decision: 'approve' | 'reject' = 'approve',
  ) => {
    const sure = operator.stepUp ? operator : await confirmed(operator, { ...of, decision });
    return app.transaction((transaction) => approvals.vote(transaction, { ...of, operator: sure, decision }));
  };

  beforeAll(async () => {
    test = await openTestDatabase();
    owner = openDatabase(test.owner, { connections: 2 });
    app = test.database;
    people = {
      tan: await person('tan', ['compliance'], 77n),
      korn: await person('korn', ['finance']),
      fah: await person('fah', ['finance', 'admin']),
      mai: await person('mai', ['support']),
    };
  });
  afterAll(async () => {
    await owner.close();
    await test.close();
  });

  it('is decided by two different people, once', async () => {
    const one = await opened();
    expect(await vote(people.korn, one)).toEqual({ ok: true, effect: { approvals: 1, need: 2, isDecided: false } });
    expect(await vote(people.korn, one)).toMatchObject({ refusal: 'already_voted' });
    expect(await vote(people.fah, one)).toEqual({ ok: true, effect: { approvals: 2, need: 2, isDecided: true } });
    expect(await vote(people.tan, one)).toMatchObject({ refusal: 'already_decided' });
  });

  it('is stopped by one person who rejects it', async () => {
    const one = await opened();
    await vote(people.korn, one);
    expect(await vote(people.tan, one, 'reject')).toMatchObject({ effect: { isDecided: true } });
    expect(await vote(people.fah, one)).toMatchObject({ refusal: 'already_decided' });
  });

  it('is stopped by one person before it takes effect, and not after', async () => {
    const stop = (id: string, operator: OperatorSession) =>
      app.transaction((transaction) => approvals.stop(transaction, id, operator));
    const later = (ms: number) => opened({ need: 1, madeBy: people.korn.id, effectiveFrom: new Date(Date.now() + ms) });
    const one = await later(60_000);
    expect(await stop(one.id, people.fah)).toBe('already_effective');
    await vote(people.fah, one);
    expect(await stop(one.id, people.mai)).toBe('role_missing');
    expect(await stop(randomUUID(), people.fah)).toBe('approval_unknown');
    expect(await stop(one.id, people.korn)).toBeNull();
    expect(await stop(one.id, people.fah)).toBe('already_effective');
    const over = await later(30);
    await vote(people.fah, over);
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(await stop(over.id, people.fah)).toBe('already_effective');
    const plain = await opened({ need: 1 });
    await vote(people.fah, plain);
    expect(await stop(plain.id, people.korn)).toBe('already_effective');
  });

  it('counts one vote when a person votes many times at once', async () => {
    const one = await opened();
    const sure = await Promise.all(Array.from({ length: 12 }, () => confirmed(people.korn, one)));
    const all = await Promise.all(sure.map((operator) => vote(operator, one)));
    expect(all.filter(({ ok }) => ok)).toHaveLength(1);
    const votes = await app.query(text('SELECT FROM operators.vote WHERE approval = $1'), [one.id]);
    expect(votes).toHaveLength(1);
  });

  it.each<[string, string, () => Promise<unknown>]>([
    ['its maker', 'maker_cannot_check', async () => vote(people.korn, await opened({ madeBy: people.korn.id }))],
    ['a person concerned', 'conflict_of_interest', async () => vote(people.tan, await opened({ about: [76n, 77n] }))],
    ['another role', 'role_missing', async () => vote(people.mai, await opened())],
    [
      'another content',
      'fingerprint_stale',
      async () => vote(people.korn, { ...(await opened()), fingerprint: 'ab'.repeat(32) }),
    ],
    ['a late decision', 'approval_expired', async () => vote(people.korn, await opened({ expiresAt: new Date(0) }))],
    ['an unknown one', 'approval_unknown', async () => vote(people.korn, { ...(await opened()), id: randomUUID() })],
    [
      'a session that has ended',
      'role_missing',
      async () => vote({ ...people.korn, sessionId: people.fah.sessionId }, await opened()),
    ],
    [
      'no confirmation',
      'step_up_required',
      async () => {
        const one = await opened();
        return app.transaction((t) => approvals.vote(t, { ...one, operator: people.korn, decision: 'approve' }));
      },
    ],
    [
      'a confirmation of another approval',
      'step_up_expired',
      async () => vote(await confirmed(people.korn, await opened()), await opened()),
    ],
    [
      'a confirmation to reject',
      'step_up_expired',
      async () => {
        const one = await opened();
        return vote(await confirmed(people.korn, { ...one, decision: 'reject' }), one);
      },
    ],
    [
      'an old confirmation',
      'step_up_expired',
      async () => {
        const one = await opened();
        return vote(await confirmed(people.korn, one, '-1 second'), one);
      },
    ],
  ])('refuses %s', async (_what, refusal, ask) => expect(await ask()).toMatchObject({ ok: false, refusal }));

  it('uses a confirmation once', async () => {
    const one = await opened();
    const sure = await confirmed(people.korn, one);
    expect((await vote(sure, one)).ok).toBe(true);
    const rows = await app.query<{ used_at: Date | null }>(
      text('SELECT used_at FROM operators.challenge WHERE id = $1'),
      [sure.stepUp],
    );
    expect(rows[0]?.used_at).not.toBeNull();
  });

  it('names the session of the vote, and that session stays ended', async () => {
    const open = (operator: bigint, id = randomUUID()) =>
      app.query(
        text(
          `SELECT operators.open_session($1, sha256(uuid_send(gen_random_uuid())), $2, 'passkey', 'd', 'a', clock_timestamp())`,
        ),
        [id, operator],
      );
    const session = randomUUID();
    await open(people.mai.id, session);
    const [entry] = await app.query<{ what: string; said: unknown }>(
      text(
        `SELECT what, text::jsonb -> 'after' AS said FROM operators.entry WHERE operator = $1 ORDER BY n DESC LIMIT 1`,
      ),
      [people.mai.id],
    );
    expect(entry).toEqual({ what: 'operator.signed_in', said: { factor: 'passkey' } });
    const set = (change: string) => app.query(text(`UPDATE operators.session SET ${change} WHERE id = $1`), [session]);
    await expect(set(`used_at = used_at - interval '1 second'`)).rejects.toThrow('only used and ended');
    await set(`ended_at = now(), ended_by = 'logout'`);
    await expect(set(`ended_at = NULL, ended_by = NULL`)).rejects.toThrow('only used and ended');
    const gone = await person('gone', ['finance']);
    await owner.query(text('UPDATE operators.operator SET frozen_at = now() WHERE id = $1'), [gone.id]);
    await expect(open(gone.id)).rejects.toThrow('may not sign in');

    const one = await opened({ need: 1 });
    const sure = await confirmed(people.korn, one);
    await vote(sure, one);
    const again = text('UPDATE operators.challenge SET used_at = NULL WHERE id = $1');
    await expect(app.query(again, [sure.stepUp])).rejects.toThrow('answered and used once');
  });

  it('can’t be bypassed by the application’s role', async () => {
    const { id, fingerprint } = await opened({ need: 1 });
    const values = [id, people.korn.id, people.korn.sessionId, Buffer.from(fingerprint, 'hex')];
    for (const [sql, given] of [
      [
        `INSERT INTO operators.vote (approval, operator, session, decision, fingerprint, role) VALUES ($1, $2, $3, 'approve', $4, 'finance')`,
        values,
      ],
      [
        `INSERT INTO operators.session (id, token_hash, operator, factor, device, address, created_at, used_at)
         VALUES (gen_random_uuid(), sha256('x'), $1, 'passkey', 'd', 'a', now(), now())`,
        [people.korn.id],
      ],
      [
        `INSERT INTO operators.challenge (id, purpose, challenge, expires_at, confirmed_at, confirmed_by)
         VALUES (gen_random_uuid(), 'login', 'x', now() + interval '1 minute', now(), 'passkey')`,
        [],
      ],
      [`UPDATE operators.approval SET status = 'approved', decided_at = now() WHERE id = $1`, [id]],
      [`UPDATE operators.operator SET roles = ARRAY['finance'] WHERE id = $1`, [people.mai.id]],
      [`INSERT INTO operators.operator (work_name, roles) VALUES ('ghost', ARRAY['finance'])`, []],
      [`SELECT operators.create_operator('ghost', ARRAY['finance'], $1, 1)`, [Buffer.alloc(32)]],
      [`DELETE FROM operators.entry`, []],
      [`UPDATE operators.log_head SET n = 0`, []],
      [
        `INSERT INTO operators.entry (n, at, what, kind, subject, text, previous, hash) VALUES (99, now(), 'a.b', 'a', 'b', '{}', $1, $1)`,
        [Buffer.alloc(32)],
      ],
    ] as const)
      await expect(app.query(text(sql), given), sql).rejects.toThrow('permission denied');

    // The role may write these steps: a session for anybody, a challenge, its confirmation; but no signature.
    const session = randomUUID();
    const stepUp = randomUUID();
    const asKorn = { ...people.korn, sessionId: session, stepUp };
    for (const [sql, given] of [
      [
        `SELECT operators.open_session($1, sha256('theirs'), $2, 'passkey', 'd', 'a', clock_timestamp())`,
        [session, people.korn.id],
      ],
      [
        `INSERT INTO operators.challenge (id, purpose, operator, session, act, subject, fingerprint, challenge, expires_at)
         VALUES ($1, 'decision', $2, $3, 'approval.approve', $4, $5, 'x', now() + interval '2 minutes')`,
        [stepUp, people.korn.id, session, id, Buffer.from(fingerprint, 'hex')],
      ],
      [`UPDATE operators.challenge SET confirmed_at = now(), confirmed_by = 'passkey' WHERE id = $1`, [stepUp]],
    ] as const)
      await app.query(text(sql), given);
    const refused = await app.transaction((t) =>
      approvals.vote(t, { id, fingerprint, operator: asKorn, decision: 'approve' }),
    );
    expect(refused).toMatchObject({ ok: false, refusal: 'vote_unsigned' });
    // The database's function refuses too, and the confirmation stays unused.
    expect(
      await app.query(text(`SELECT refusal FROM operators.cast_vote($1, $2, $3, $4, 'approve', NULL, $5)`), [
        id,
        people.korn.id,
        session,
        Buffer.from(fingerprint, 'hex'),
        stepUp,
      ]),
    ).toEqual([{ refusal: 'vote_unsigned' }]);
    expect((await readBallot(app, id))?.votes).toEqual([]);
  });

  it('is refused by the table itself when the owner of the database writes without the functions', async () => {
    const { id, fingerprint } = await opened({ madeBy: people.korn.id });
    await expect(
      owner.query(
        text(
          `INSERT INTO operators.vote (approval, operator, session, decision, fingerprint, role) VALUES ($1, $2, $3, 'approve', $4, 'finance')`,
        ),
        [id, people.korn.id, people.korn.sessionId, Buffer.from(fingerprint, 'hex')],
      ),
    ).rejects.toThrow('maker_cannot_check');
    await expect(owner.query(text('UPDATE operators.approval SET need = 1 WHERE id = $1'), [id])).rejects.toThrow(
      'not changed',
    );
    for (const table of ['vote', 'entry'])
      await expect(owner.query(text(`TRUNCATE operators.${table} CASCADE`))).rejects.toThrow('append-only');
  });

  it('is open once per subject, and only its maker can withdraw it', async () => {
    const one = await opened({ subject: 'W-1', madeBy: people.korn.id });
    await expect(opened({ subject: 'W-1' })).rejects.toThrow('approval_waiting');
    const close = (operator: bigint) =>
      app.transaction((transaction) => approvals.close(transaction, one.id, 'withdrawn', operator));
    expect(await close(people.fah.id)).toBe(false);
    expect(await close(people.korn.id)).toBe(true);
    expect(await vote(people.fah, one)).toMatchObject({ refusal: 'already_decided' });
    await opened({ subject: 'W-1' });
  });

  it('numbers log entries without a gap when acts run at once and some fail', async () => {
    const audit = openAuditLog();
    const act = (n: number) =>
      app
        .transaction(async (transaction) => {
          await audit.append(transaction, {
            operator: people.korn,
            what: 'withdrawal.approved',
            on: { kind: 'withdrawal', id: `W-${n}` },
            customer: 5n,
            after: { approvals: '1', text: 'a "quote", a\nline, ไทย' },
            note: 'a note of somebody',
          });
          if (n % 3 === 0) throw new Error('the act failed');
        })
        .catch(() => undefined);
    const count = async () =>
      (
        await app.query<{ n: bigint; entries: bigint }>(
          text('SELECT h.n, (SELECT count(*) FROM operators.entry) AS entries FROM operators.log_head h'),
        )
      )[0];
    const before = await count();
    await Promise.all(Array.from({ length: 30 }, (_, n) => act(n)));
    const after = await count();
    expect(after?.n).toBe(after?.entries);
    expect((after?.n ?? 0n) - (before?.n ?? 0n)).toBe(20n);
  });

  describe('that decides a movement of money', () => {
    const CAPITAL = houseAccount('house_capital', 'USDT');
    interface Payment {
      readonly approval: { readonly id: string; readonly fingerprint: string };
      readonly units: bigint;
      readonly operator: OperatorSession;
      readonly note: undefined;
    }
    const paying = votedKind(openAuditLog(), {
      name: 'test.voted',
      accounts: () => [CAPITAL],
      lock: async (_transaction, _command: Payment) => null,
      check: async (_transaction, { units }, _row, funds): Promise<Decision<null, DecisionRefusal | 'house_short'>> =>
        units > funds.available(CAPITAL) ? refuse('house_short') : accept(null),
      vote: (transaction, { approval, operator }) =>
        approvals.vote(transaction, { ...approval, operator, decision: 'approve' }),
      transfers: ({ command: { units }, cast: { isDecided } }) =>
        isDecided ? [{ kind: 'single', debit: CAPITAL, credit: customer, units, code: 'deposit' }] : [],
      advance: () => [],
      entry: ({ command }) => ({ what: 'deposit.matched', on: { kind: 'deposit', id: command.approval.id } }),
    });
    /** Moves the house's capital in a journal of its own, in the same batch. */
    const moving = (name: string, from: AccountKey, to: AccountKey): JournalKind<bigint, null, never> => ({
      name,
      customer: () => null,
      accounts: () => [from, to],
      decide: (units) =>
        accept({ transfers: [{ kind: 'single', debit: from, credit: to, units, code: 'demo_funding' }], answer: null }),
    });
    const EQUITY = houseAccount('equity', 'USDT');
    const [fund, spend] = [moving('test.fund', EQUITY, CAPITAL), moving('test.spend', CAPITAL, EQUITY)];
    const intent = () => ({ id: randomUUID(), digest: 'd' });

    let money: TestDatabase;
    let ledger: Ledger;
    let before: [Database, Database];
    let customer: AccountKey;
    let owners = 900n;

    beforeAll(async () => {
      // The people of this test exist in a separate database, in which any transfer may have any purpose.
      money = await openTestDatabase({ anyPurpose: true });
      before = [owner, app];
      owner = openDatabase(money.owner, { connections: 2 });
      app = money.database;
      people = {
        tan: await person('tan', ['compliance']),
        korn: await person('korn', ['finance']),
        fah: await person('fah', ['finance', 'admin']),
        mai: await person('mai', ['support']),
      };
      ledger = openLedger({ database: app, clock: systemClock, bus: new Bus(), eligibility: null }).api;
    });
    beforeEach(async () => {
      owners += 1n;
      customer = customerAccount(owners, 'USDT');
      await ledger.post(fund, 10n, intent());
    });
    afterAll(async () => {
      await owner.close();
      [owner, app] = before;
      await money.close();
    });

    const command = async (by: OperatorSession, approval: Payment['approval'], units = 4n): Promise<Payment> => ({
      approval,
      units,
      operator: await confirmed(by, approval),
      note: undefined,
    });
    const votesOf = async ({ id }: Payment['approval']): Promise<number> =>
      (await readBallot(app, id))?.votes.length ?? 0;
    const entriesOf = async ({ id }: Payment['approval']): Promise<number> =>
      (await app.query(text('SELECT FROM operators.entry WHERE subject = $1'), [id])).length;
    const paid = async (): Promise<bigint> => (await ledger.balances(owners))[0]?.available ?? 0n;

    it('moves nothing until the last vote, and then once', async () => {
      const one = await opened();
      expect(await ledger.post(paying, await command(people.korn, one), intent())).toMatchObject({ ok: true });
      expect([await paid(), await votesOf(one), await entriesOf(one)]).toEqual([0n, 1, 1]);
      const last = await command(people.fah, one);
      const id = intent();
      expect(await ledger.post(paying, last, id)).toMatchObject({ ok: true });
      expect(await ledger.post(paying, last, id)).toMatchObject({ ok: true });
      expect([await paid(), await votesOf(one), await entriesOf(one)]).toEqual([4n, 2, 2]);
    });

    it('casts no vote when the check refuses, nor later for the same intent', async () => {
      const one = await opened({ need: 1 });
      const large = await command(people.korn, one, 10_000n);
      const id = intent();
      expect(await ledger.post(paying, large, id)).toMatchObject({ refusal: 'house_short' });
      await ledger.post(fund, 20_000n, intent());
      expect(await ledger.post(paying, large, id)).toMatchObject({ refusal: 'house_short' });
      expect([await paid(), await votesOf(one), await entriesOf(one)]).toEqual([0n, 0, 0]);
      await ledger.post(spend, 20_000n, intent());
    });

    it('moves and logs nothing when the vote is refused', async () => {
      const one = await opened({ madeBy: people.korn.id });
      expect(await ledger.post(paying, await command(people.korn, one), intent())).toMatchObject({
        refusal: 'maker_cannot_check',
      });
      expect([await paid(), await votesOf(one), await entriesOf(one)]).toEqual([0n, 0, 0]);
    });

    it('moves once when two last votes are cast at once', async () => {
      const one = await opened();
      await ledger.post(paying, await command(people.korn, one), intent());
      const last = [await command(people.fah, one), await command(people.tan, one)];
      const answers = await Promise.all(last.map((vote) => ledger.post(paying, vote, intent())));
      expect(answers.map((answer) => (answer.ok ? 'ok' : answer.refusal)).sort()).toEqual(['already_decided', 'ok']);
      expect([await paid(), await votesOf(one), await entriesOf(one)]).toEqual([4n, 2, 2]);
    });

    it('throws if others of its batch left too little, before the database rejects it', async () => {
      const vote = await command(people.korn, await opened({ need: 1 }));
      const cast = { approvals: 1, need: 1, isDecided: true };
      const context = accept({ command: vote, found: null, cast });
      const decideOn = (left: bigint) =>
        paying.decide(
          vote,
          { available: () => left, held: () => 0n },
          { now: systemClock.now(), intent: intent(), context },
        );
      expect(decideOn(4n)).toMatchObject({ ok: true });
      expect(() => decideOn(3n)).toThrow('house_capital has too little USDT');
    });

    it('takes its vote back if others of the batch have taken the money', async () => {
      const one = await opened({ need: 1 });
      const vote = await command(people.korn, one, 10n);
      const all = (await ledger.balances(0n)).find(({ account }) => account.name === 'house_capital');
      const [spent, voted] = await Promise.all([
        ledger.post(spend, (all?.available ?? 0n) - 1n, intent()),
        ledger.post(paying, vote, intent()),
      ]);
      expect([spent, voted]).toMatchObject([{ ok: true }, { refusal: 'house_short' }]);
      expect([await paid(), await votesOf(one), await entriesOf(one)]).toEqual([0n, 0, 0]);
    });
  });
});
