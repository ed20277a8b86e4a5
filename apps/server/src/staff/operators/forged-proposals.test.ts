import { createHash, randomUUID } from 'node:crypto';
import {
  APPROVAL_KINDS,
  approveApproval,
  approveCorrection,
  type CorrectionCase,
  makeCorrection,
  readCorrection,
  startStepUp,
} from '@sathorn/api';
import { canonicalText } from '@sathorn/proof';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findUnsignedActs } from '../../checker/checker/index.ts';
import { DEMO_CUSTOMER } from '../../demo/demo/index.ts';
import {
  insertConfirmedStepUp,
  proposed,
  signAsDemoOperator,
  signInDemoOperator,
} from '../../whole/testing-operators.ts';
import { openTestPlatform, type TestPlatform } from '../../whole/testing-platform.ts';
import { checkerVotersFile, readPinnedVoters, readVotersOf, rolesOfAct, verifiedApprovals } from '../votes/index.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

describe('proposals of money in the names of people who signed nothing', () => {
  let platform: TestPlatform;
  let customer = 0n;
  let korn = 0n;
  let ploy = 0n;
  const staff: Record<string, string> = {};
  const app = <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    platform.test.database.query<Row>({ name: '', text }, values);
  const idOf = async (name: string): Promise<bigint> =>
    (await app<{ id: bigint }>('SELECT id FROM operators.operator WHERE work_name = $1', [name]))[0]?.id ?? 0n;
  const pins = () => readPinnedVoters(checkerVotersFile(platform.dataDir), platform.test.owner);
  const found = () => findUnsignedActs(platform.test.checker, pins());
  const keyOf = async (operator: bigint): Promise<string> =>
    (await readVotersOf(platform.test.database, operator)).find(({ kind }) => kind === 'demo')?.id ?? '';
  const sessionOf = async (operator: bigint): Promise<string> => {
    const session = randomUUID();
    await app(
      `SELECT operators.open_session($1, sha256(uuid_send(gen_random_uuid())), $2, 'passkey', 'd', 'a', now())`,
      [session, operator],
    );
    return session;
  };
  /** A used confirmation of a proposal, with what only looks like its person's signature. */
  const junk = async (operator: bigint, act: string, subject: string, content: string, key: string) => {
    const stepUp = randomUUID();
    await app(
      `INSERT INTO operators.challenge (id, purpose, operator, session, act, subject, fingerprint, challenge, expires_at)
       VALUES ($1, 'decision', $2, $3, $4, $5, $6, repeat('x', 43), now() + interval '2 minutes')`,
      [stepUp, operator, await sessionOf(operator), act, subject, digest(content)],
    );
    await app(
      `UPDATE operators.challenge SET confirmed_at = clock_timestamp(), confirmed_by = 'passkey', vote_key = $2, proof = $3 WHERE id = $1`,
      [stepUp, key, canonicalText({ signature: '0'.repeat(128) })],
    );
    await app('UPDATE operators.challenge SET used_at = clock_timestamp() WHERE id = $1', [stepUp]);
    return stepUp;
  };
  /** A goodwill payment in korn's name, written by whoever has the application's login. */
  const plant = async (sign: (id: string, content: string) => Promise<string | null>): Promise<string> => {
    const [id, approval] = [randomUUID(), randomUUID()];
    const said = { kind: 'goodwill', asset: 'USDT', units: '1000000' };
    const about = { reason: 'goodwill', words: 'planted', case_kind: 'journal', case_id: id };
    const content = canonicalText({
      ...{ correction: id, customer: String(customer), ...said, house: '280' },
      ...{ transfer: null, deposit: null, kept: null, ...about },
    });
    const stepUp = await sign(id, content);
    await platform.test.database.transaction(async (transaction) => {
      const run = (text: string, values: unknown[]) => transaction.query({ name: '', text }, values);
      await run(
        `SELECT operators.open_approval($1, 'correction', $2, $3, 1, '{compliance}', $4, ARRAY[$5::bigint], 'goodwill', NULL, NULL, $6)`,
        [approval, id, content, korn, customer, stepUp],
      );
      await run(
        `INSERT INTO corrections.correction (id, customer_id, kind, asset, units, house, reason, words, case_kind, case_id, approval, made_by, made_at, expires_at)
         VALUES ($1, $2, 'goodwill', 'USDT', 1000000, 280, 'goodwill', 'planted', 'journal', $1, $3, $4, now(), now() + interval '1 day')`,
        [id, customer, approval, korn],
      );
      await run(
        `SELECT operators.append_entry($1, $2, 'correction.proposed', 'correction', $3, $4, NULL, $5, 'goodwill', NULL)`,
        [korn, null, id, customer, canonicalText({ ...said, approval })],
      );
    });
    return id;
  };
  const plantedOr = (sign: Parameters<typeof plant>[0]): Promise<string> =>
    plant(sign).catch((error: unknown) => String((error as { code?: unknown }).code));
  const read = async (id: string, token: string) =>
    (await platform.send(readCorrection, { id }, { token })).answer.data as unknown as CorrectionCase;
  /** The bribed person's own vote, which they really sign. */
  const approve = async (id: string, name = 'ploy') => {
    const token = staff[name] ?? '';
    const { decision, version } = await read(id, token);
    const { approval = '', fingerprint = '' } = decision ?? {};
    const step_up = await insertConfirmedStepUp(platform, token, { op: 'approval.approve', id: approval, fingerprint });
    const fields = { id, version: String(version), fingerprint, step_up };
    return (await platform.send(approveCorrection, fields, { token, 'idempotency-key': randomUUID() })).answer;
  };

  beforeAll(async () => {
    platform = await openTestPlatform({ ROLES: 'edge,index', CHAIN: 'off' });
    [korn, ploy] = [await idOf('korn'), await idOf('ploy')];
    for (const name of ['korn', 'ploy', 'tan', 'dao']) staff[name] = (await signInDemoOperator(platform, name)).token;
    const [row] = await app<{ id: bigint }>('SELECT id FROM customers.customer WHERE username = $1', [
      DEMO_CUSTOMER.username,
    ]);
    customer = row?.id ?? 0n;
  });
  afterAll(async () => {
    await platform.close();
    expect(platform.faults).toEqual([]);
  });

  it('move nothing by one vote, whoever casts it', async () => {
    const id = await plant(async () => null);
    expect(await approve(id)).toMatchObject({ ret: 1, data: { step: 'proposed', moved: null } });
    expect((await approve(id)).data.code).toBe('already_voted');
    expect(await found()).toEqual([]);
    // As one that waited when proposals began to be signed: a third person may still agree.
    expect(await approve(id, 'tan')).toMatchObject({ ret: 1, data: { step: 'done', moved: '1.000000' } });
    expect(await found()).toEqual([]);
  });

  it('are refused by the database with a signature of something or somebody else', async () => {
    const key = await keyOf(korn);
    const act = 'propose.correction';
    for (const sign of [
      async (id: string, content: string) => junk(korn, act, id, content.replace('1000000', '9000000'), key),
      async (_: string, content: string) => junk(korn, act, randomUUID(), content, key),
      async (id: string, content: string) => junk(korn, 'propose.payout_return', id, content, key),
      async (id: string, content: string) => junk(korn, act, id, content, await keyOf(ploy)),
      async (id: string, content: string) => junk(ploy, act, id, content, await keyOf(ploy)),
      async () => randomUUID(),
    ])
      expect(await plantedOr(sign)).toBe('OP010');
  });

  it('are approved by no honest server, and found by the checker, where they only seem to be signed', async () => {
    const key = await keyOf(korn);
    const id = await plant((subject, content) => junk(korn, 'propose.correction', subject, content, key));
    expect((await approve(id)).data.code).toBe('votes_unsigned');
    expect(await found()).toEqual([]);

    // Without the server: the bribed person's signature, under a return that the signer would send.
    const [approval, subject] = [randomUUID(), randomUUID()];
    const content = canonicalText({ deposit: subject, plan: 'return' });
    const stepUp = await junk(korn, 'propose.deposit_recovery', subject, content, key);
    await app(
      `SELECT operators.open_approval($1, 'deposit_recovery', $2, $3, 1, '{compliance}', $4, '{}', NULL, NULL, NULL, $5)`,
      [approval, subject, content, korn, stepUp],
    );
    const token = staff.ploy ?? '';
    const fingerprint = digest(content).toString('hex');
    const vote = await insertConfirmedStepUp(platform, token, { op: 'approval.approve', id: approval, fingerprint });
    const [cast] = await app<{ is_decided: boolean }>(
      `SELECT v.is_decided FROM operators.challenge c, operators.cast_vote($1, c.operator, c.session, c.fingerprint, 'approve', NULL, c.id) v WHERE c.id = $2`,
      [approval, vote],
    );
    expect(cast?.is_decided).toBe(true);
    const asked = { kinds: ['deposit_recovery'], subject, members: { plan: 'return' } };
    expect(await verifiedApprovals(platform.test.database, pins(), asked)).toBe(1);
    expect(await found()).toEqual([`deposit_recovery ${approval}: not signed by its maker`]);
  });

  it('are made with the maker’s signature over exactly their content, once', async () => {
    const token = staff.korn ?? '';
    const headers = { token, 'idempotency-key': randomUUID() };
    const [journal] = await app<{ id: string }>('SELECT id FROM ledger.journal LIMIT 1');
    const fields = {
      ...{ kind: 'goodwill', customer: String(customer), amount: '2', reason: 'goodwill', words: 'real' },
      ...{ case_kind: 'journal', case_id: journal?.id ?? '' },
    };
    const { answer: refused } = await platform.send(makeCorrection, fields, headers);
    const { params } = refused.data as unknown as { params: { op: string; id: string; fingerprint: string } };
    expect(refused.data).toMatchObject({ code: 'step_up_required', params: { op: 'propose.correction' } });
    expect(await app('SELECT FROM corrections.correction WHERE id = $1', [params.id])).toEqual([]);
    // Signed for another amount.
    const step_up = await insertConfirmedStepUp(platform, token, params);
    const other = { ...fields, amount: '3', step_up };
    expect((await platform.send(makeCorrection, other, headers)).answer.data.code).toBe('step_up_expired');
    // A confirmation that the application's login has planted under a real session.
    const begun = (await platform.send(startStepUp, params, { token, 'idempotency-key': randomUUID() })).answer;
    const ploys = signAsDemoOperator(platform.dataDir, String(begun.data.vote).replace(`"${korn}"`, `"${ploy}"`));
    await app(
      `UPDATE operators.challenge SET confirmed_at = now(), confirmed_by = 'passkey', vote_key = $2, proof = $3 WHERE id = $1`,
      [begun.data.step_up, ploys.key, ploys.proof],
    );
    const planted = { ...fields, step_up: String(begun.data.step_up) };
    expect((await platform.send(makeCorrection, planted, headers)).answer.data.code).toBe('vote_unsigned');

    const made = await proposed(platform, `${makeCorrection.method} ${makeCorrection.path}`, fields, headers);
    expect(made, made.msg).toMatchObject({ ret: 1, data: { step: 'proposed' } });
    expect(await approve(params.id)).toMatchObject({ ret: 1, data: { step: 'done', moved: '2.000000' } });
    expect(await found()).toHaveLength(1);
  });

  describe('of every kind', () => {
    const id = randomUUID();
    const MONEY = ['finance', 'compliance'];
    /** Decided on the page of their subject, not among the approvals. */
    const ON_PAGES = ['correction', 'payout_return', 'withdrawal_failed', 'withdrawal_lost', 'withdrawal_paid'];
    const STOPPERS = ['compliance', 'finance', 'admin'];
    const KINDS: readonly [kind: string, subject: string, maker: string, voter: string, roles: readonly string[]][] = [
      ['correction', id, 'korn', 'ploy', ['compliance']],
      ['deposit_recovery', id, 'korn', 'ploy', ['compliance']],
      ['payout_foreign', `0x${'ab'.repeat(32)}`, 'korn', 'ploy', MONEY],
      ['payout_return', id, 'korn', 'ploy', MONEY],
      ['restoration_end', '1', 'korn', 'ploy', MONEY],
      ['withdrawal_failed', id, 'korn', 'ploy', MONEY],
      ['withdrawal_lost', id, 'korn', 'ploy', MONEY],
      ['withdrawal_paid', id, 'korn', 'ploy', MONEY],
      ['offer', 'threshold/withdrawals', 'arun', 'ploy', ['compliance', 'admin']],
      ['content', 'EEEEEEEEEEEEEEEE', 'bua', 'ploy', ['compliance', 'admin']],
      ['freeze_lift', id, 'tan', 'ploy', ['compliance', 'admin']],
      ['freeze_extend', id, 'tan', 'ploy', ['compliance', 'admin']],
      ['operator_invite', 'eve', 'arun', 'dao', ['admin']],
      ['operator_role', '987', 'arun', 'dao', ['admin']],
      ['operator_device', '987', 'arun', 'dao', ['admin']],
      ['operator_unfreeze', '987', 'arun', 'dao', ['admin']],
      ['certification_refusal', 'AAAAAAAAAAAAAAAAAAAAAA', 'tan', 'ploy', ['compliance']],
      ['dispute_answer', id, 'mai', 'ploy', ['compliance']],
      ['incident_close', id, 'arun', 'ploy', STOPPERS],
      ['money_dispute_answer', id, 'mai', 'ploy', ['compliance']],
      ['pause_end', id, 'arun', 'ploy', STOPPERS],
      ['ready_answer', 'hello', 'bua', 'ploy', ['compliance', 'admin']],
    ];

    it('are all that one person makes and another decides', () => {
      const signed = APPROVAL_KINDS.filter((kind) => rolesOfAct(`propose.${kind}`) !== undefined);
      expect(KINDS.map(([kind]) => kind).toSorted()).toEqual(signed.toSorted());
    });

    it.each(KINDS)('%s: count only with the maker’s own signature', async (kind, subject, maker, voter, roles) => {
      const token = staff[voter] ?? '';
      const madeBy = await idOf(maker);
      /** Opens the question in the maker's name. */
      const open = async (sign: (content: string) => Promise<string | null>) => {
        const approval = randomUUID();
        const content = canonicalText({ ...{ subject, planted: approval }, customer: String(customer) });
        await app(`SELECT operators.open_approval($1, $2, $3, $4, 1, $5, $6, '{}', NULL, NULL, NULL, $7)`, [
          ...[approval, kind, subject, content, [...roles], madeBy, await sign(content)],
        ]);
        return { op: 'approval.approve', id: approval, fingerprint: digest(content).toString('hex') } as const;
      };
      /** The bribed person's own vote, which they really sign, without the server. */
      const vote = async (of: Awaited<ReturnType<typeof open>>) => {
        const [cast] = await app<{ is_decided: boolean }>(
          `SELECT v.is_decided FROM operators.challenge c, operators.cast_vote($1, c.operator, c.session, c.fingerprint, 'approve', NULL, c.id) v WHERE c.id = $2`,
          [of.id, await insertConfirmedStepUp(platform, token, of)],
        );
        return cast?.is_decided;
      };

      const unsigned = await open(async () => null);
      expect(await vote(unsigned)).toBe(false);
      expect(await app('SELECT status FROM operators.approval WHERE id = $1', [unsigned.id])).toEqual([
        { status: 'waiting' },
      ]);
      await app(`SELECT operators.close_approval($1, 'stale', NULL)`, [unsigned.id]);

      const key = await keyOf(madeBy);
      const forged = await open((content) => junk(madeBy, `propose.${kind}`, subject, content, key));
      const step_up = await insertConfirmedStepUp(platform, token, forged);
      const sent = { id: forged.id, fingerprint: forged.fingerprint, step_up };
      const { answer } = await platform.send(approveApproval, sent, { token, 'idempotency-key': randomUUID() });
      expect(answer.data.code).toBe(ON_PAGES.includes(kind) ? 'decided_on_subject' : 'votes_unsigned');
      expect(await vote(forged)).toBe(true);
      const asked = { kinds: [kind], subject, members: { planted: forged.id } };
      expect(await verifiedApprovals(platform.test.database, pins(), asked)).toBe(1);
      expect(await found()).toContain(`${kind} ${forged.id}: not signed by its maker`);
    });
  });
});
