import { createHash, randomUUID } from 'node:crypto';
import { attestedText, confirmStepUp, listDemoOperators, matchedText, startStepUp } from '@sathorn/api';
import { canonicalText, writeAct } from '@sathorn/proof';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findUnsignedActs } from '../../checker/checker/index.ts';
import { DEMO_CUSTOMER } from '../../demo/demo/index.ts';
import { checkerVotersFile, readPinnedVoters, readVotersOf } from '../../staff/votes/index.ts';
import { insertConfirmedStepUp, signAsDemoOperator, signInDemoOperator } from '../../whole/testing-operators.ts';
import { type Envelope, openTestPlatform, type TestForm, type TestPlatform } from '../../whole/testing-platform.ts';
import { statementFile, TestStatements } from '../testing-statement.ts';

const ACCOUNT = '000-0-00000-0';
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

describe('bank money in the names of people who signed nothing', () => {
  let platform: TestPlatform;
  const app = <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    platform.test.database.query<Row>({ name: '', text }, values);
  const refusedBy = (text: string, values: unknown[]): Promise<string> =>
    app(text, values).then(
      () => 'taken',
      (error: unknown) => String((error as { code?: unknown }).code),
    );
  const idOf = async (name: string): Promise<bigint> =>
    (await app<{ id: bigint }>('SELECT id FROM operators.operator WHERE work_name = $1', [name]))[0]?.id ?? 0n;
  const found = () =>
    findUnsignedActs(platform.test.checker, readPinnedVoters(checkerVotersFile(platform.dataDir), platform.test.owner));
  const ask = async (route: string, token: string, fields: TestForm | FormData = {}): Promise<Envelope> =>
    (await platform.send(route, fields, { token, 'idempotency-key': randomUUID() })).answer;
  const keyOf = async (operator: bigint): Promise<string> =>
    (await readVotersOf(platform.test.database, operator)).find(({ kind }) => kind === 'demo')?.id ?? '';
  /** Has the form of a signature but is none. */
  const junk = async (operator: bigint) => ({
    key: await keyOf(operator),
    proof: canonicalText({ signature: '0'.repeat(128) }),
  });

  /** Inserts a used confirmation in an operator's name, all of whose columns the application's login may write. */
  const confirmation = async (
    operator: bigint,
    act: string,
    subject: string,
    content: string,
    sign: (stepUp: string) => Promise<{ key: string; proof: string } | null>,
  ): Promise<string> => {
    const [session, stepUp] = [randomUUID(), randomUUID()];
    await app(
      `SELECT operators.open_session($1, sha256(uuid_send(gen_random_uuid())), $2, 'passkey', 'd', 'a', now())`,
      [session, operator],
    );
    await app(
      `INSERT INTO operators.challenge (id, purpose, operator, session, act, subject, fingerprint, challenge, expires_at)
       VALUES ($1, 'decision', $2, $3, $4, $5, $6, repeat('x', 43), now() + interval '2 minutes')`,
      [stepUp, operator, session, act, subject, digest(content)],
    );
    const signed = await sign(stepUp);
    await app(
      `UPDATE operators.challenge SET confirmed_at = clock_timestamp(), confirmed_by = 'passkey', vote_key = $2, proof = $3 WHERE id = $1`,
      [stepUp, signed?.key ?? null, signed?.proof ?? null],
    );
    await app('UPDATE operators.challenge SET used_at = clock_timestamp() WHERE id = $1', [stepUp]);
    return stepUp;
  };

  /** Inserts a statement of one line that somebody imported, according to its rows. */
  const imported = async (by: bigint, reference: string, amount: bigint) => {
    const [id, line] = [randomUUID(), randomUUID()];
    const [before] = await app<{ id: string; closing: bigint; to_at: Date }>(
      `SELECT id, closing, to_at FROM deposits.bank_statement WHERE account = $1 AND source <> 'demo' ORDER BY to_at DESC LIMIT 1`,
      [ACCOUNT],
    );
    const from = before?.to_at ?? new Date(Date.now() - 60_000);
    const to = new Date(Math.max(Date.now(), from.getTime() + 1));
    const opening = before?.closing ?? 0n;
    await platform.test.database.transaction(async (transaction) => {
      await transaction.query(
        {
          name: '',
          text: `INSERT INTO deposits.bank_statement (id, account, source, previous, from_at, to_at, opening, closing, lines, received, paid_out, imported_by)
                 VALUES ($1, $2, 'upload', $3, $4, $5, $6, $7, 1, $8, 0, $9)`,
        },
        [id, ACCOUNT, before?.id ?? null, from, to, opening, opening + amount, amount, by],
      );
      await transaction.query(
        {
          name: '',
          text: `INSERT INTO deposits.bank_line (id, bank_reference, at, amount, payer, reference, imported_by, statement) VALUES ($1, 'FORGED', $2, $3, 'X', $4, $5, $6)`,
        },
        [line, to, amount, reference, by, id],
      );
    });
    return { id, line, to, closing: opening + amount };
  };
  const attest = `INSERT INTO books.attestation (id, asset, counted, booked, as_of, statement, operator, at, step_up, bank_statement)
    VALUES ($1, 'THB', $2, 0, $3, 'KBANK', $4, now(), $5, $6)`;
  const match = `SELECT deposits.match($1, 0, $2, div($3::numeric * 10000000000, d.rate)::bigint, d.rate, gen_random_uuid(), now(), $4, NULL, NULL, $5, 0)
    FROM deposits.deposit d WHERE d.id = $1`;
  const textOf = ({ id, to, closing }: { id: string; to: Date; closing: bigint }): string =>
    attestedText({
      asset: 'THB',
      counted: `${closing / 100n}.${String(closing % 100n).padStart(2, '0')}`,
      as_of: to,
      statement: 'KBANK',
      bank_statement: id,
    });

  let order: { id: string; fiat: { reference: string } };
  beforeAll(async () => {
    platform = await openTestPlatform({ ROLES: 'edge,index,settler', CHAIN: 'off' });
    const nicha = await platform.signIn(DEMO_CUSTOMER);
    const asked = await ask('POST /pay/submit', nicha, { channel: 'promptpay', amount: '90000' });
    if (asked.ret !== 1) throw new Error(asked.msg);
    order = asked.data as unknown as typeof order;
  });
  afterAll(async () => {
    // No transfer of the ledger belongs to the planted credit, which the checker finds as well.
    await expect(platform.close()).rejects.toThrow('DW1');
    expect(platform.faults).toEqual([]);
  });

  it('is refused by the database, or found in the checker’s next round', async () => {
    expect(await found()).toEqual([]);
    const [korn, fah, ploy] = [await idOf('korn'), await idOf('fah'), await idOf('ploy')];
    const amount = 9_000_000n;
    const made = await imported(korn, order.fiat.reference, amount);

    const id = randomUUID();
    const attested = (stepUp: string | null) => [id, made.closing, made.to, fah, stepUp, made.id];
    const forge = (content: string, sign: Parameters<typeof confirmation>[4]) =>
      confirmation(fah, 'balance.attest', 'THB', content, sign);
    for (const stepUp of [
      null,
      await forge(textOf(made), async () => null),
      // Signatures of somebody else's key, and of other figures.
      await forge(textOf({ ...made, closing: 1n }), () => junk(fah)),
      await forge(textOf({ ...made, id: randomUUID() }), () => junk(fah)),
      await forge(textOf(made), () => junk(korn)),
      await confirmation(korn, 'balance.attest', 'THB', textOf(made), () => junk(korn)),
      await confirmation(fah, 'deposit.match', 'THB', textOf(made), () => junk(fah)),
    ])
      expect(await refusedBy(attest, attested(stepUp))).toBe('BK002');
    expect(await found()).toEqual([]);
    expect(await refusedBy(attest, attested(await forge(textOf(made), () => junk(fah))))).toBe('taken');
    expect(await found()).toEqual([`balance.attest ${id}`]);
    const mark = `INSERT INTO deposits.statement_attestation (statement, attestation, attested_by) VALUES ($1, $2, $3)`;
    expect(await refusedBy(mark, [made.id, id, fah])).toBe('taken');

    const content = matchedText({ id: order.id, line: made.line, version: '0' });
    const matched = (stepUp: string | null) => [order.id, made.line, amount, ploy, stepUp];
    for (const stepUp of [
      null,
      await confirmation(ploy, 'deposit.match', order.id, content, async () => null),
      await confirmation(fah, 'deposit.match', order.id, content, () => junk(fah)),
      await confirmation(ploy, 'deposit.match', order.id, content.replace('"0"', '"1"'), () => junk(ploy)),
    ])
      expect(await refusedBy(match, matched(stepUp))).toBe('DP008');
    // A rate that nobody saw is found too: it would give everything for one satang.
    const cheap = await confirmation(ploy, 'deposit.match', order.id, content, () => junk(ploy));
    expect(await refusedBy(match.replaceAll('d.rate', '1'), matched(cheap))).toBe('DP008');
    expect(await refusedBy('UPDATE deposits.deposit SET rate = 1 WHERE id = $1', [order.id])).toBe('DP008');
    const last = await confirmation(ploy, 'deposit.match', order.id, content, () => junk(ploy));
    expect(await refusedBy(match, matched(last))).toBe('taken');
    expect(await found()).toContain(`deposit.match ${order.id}`);
  });

  it('is not created with what a person really signed, but for something else or once before', async () => {
    const { token } = await signInDemoOperator(platform, 'fah');
    const [korn, fah] = [await idOf('korn'), await idOf('fah')];
    const before = await found();
    // The checker finds nothing wrong with an honest attestation, made with the code on the demo's screen.
    const statements = new TestStatements();
    const korns = (await signInDemoOperator(platform, 'korn')).token;
    const [newest] = await app<{ closing: bigint; to_at: Date }>(
      `SELECT closing, to_at FROM deposits.bank_statement WHERE account = $1 ORDER BY to_at DESC LIMIT 1`,
      [ACCOUNT],
    );
    if (!newest) throw new Error('no statement');
    const decimal = `${newest.closing / 100n}.${String(newest.closing % 100n).padStart(2, '0')}`;
    const file = statements
      .text([])
      .replace(/from,.*/, `from,${newest.to_at.toISOString()}`)
      .replace(/opening,.*/, `opening,${decimal}`)
      .replace(/closing,.*/, `closing,${decimal}`);
    const done = await ask('POST /admin/deposits/bank_import', korns, statementFile(file));
    expect(done, done.msg).toMatchObject({ ret: 1 });
    const { to } = statements.kept();
    const of = {
      asset: 'THB',
      counted: decimal,
      as_of: to,
      statement: 'KBANK',
      bank_statement: String(done.data.statement),
    };
    const text = attestedText({ ...of, asset: 'THB' });
    const shown = { op: 'balance.attest', id: 'THB', fingerprint: digest(text).toString('hex') };
    const begun = await ask(`${startStepUp.method} ${startStepUp.path}`, token, shown);
    const step_up = String(begun.data.step_up);
    expect(begun.data.vote).toBe(
      writeAct({ act: shown.op, subject: 'THB', fingerprint: shown.fingerprint, stepUp: step_up }, String(fah)),
    );
    await app('UPDATE operators.credential SET used_step = 0 WHERE operator = $1', [fah]);
    const people = (await platform.send(listDemoOperators)).answer.data as unknown as {
      work_name: string;
      code: string;
    }[];
    const code = people.find(({ work_name: name }) => name === 'fah')?.code ?? '';
    const sure = await ask(`${confirmStepUp.method} ${confirmStepUp.path}`, token, { step_up, code });
    expect(sure, sure.msg).toMatchObject({ ret: 1 });
    const attested = await ask('POST /admin/reconciliation/attest', token, {
      ...of,
      as_of: to.toISOString(),
      step_up,
    });
    expect(attested, attested.msg).toMatchObject({ ret: 1 });
    expect(await found()).toEqual(before);

    // Repeats the same confirmation, and then its signature under a confirmation of the intruder's.
    expect(await refusedBy(attest, [randomUUID(), newest.closing, to, fah, step_up, of.bank_statement])).not.toBe(
      'taken',
    );
    const [signed] = await app<{ key: string; proof: string }>(
      'SELECT vote_key AS key, proof FROM operators.challenge WHERE id = $1',
      [step_up],
    );
    const again = await confirmation(fah, 'balance.attest', 'THB', text, async () => signed ?? null);
    const replayed = randomUUID();
    expect(await refusedBy(attest, [replayed, newest.closing, to, fah, again, of.bank_statement])).toBe('taken');
    expect(await found()).toContain(`balance.attest ${replayed}`);
    expect(korn).not.toBe(fah);
  });

  it('is refused by the server if the session is real and the confirmation is planted', async () => {
    const { token } = await signInDemoOperator(platform, 'fah');
    const fah = await idOf('fah');
    const of = { asset: 'THB', counted: '5.00', as_of: new Date(Date.now() - 5_000), statement: 'KBANK' } as const;
    const shown = { op: 'balance.attest', id: 'THB', fingerprint: digest(attestedText(of)).toString('hex') };
    const send = (step_up: string) =>
      ask('POST /admin/reconciliation/attest', token, { ...of, as_of: of.as_of.toISOString(), step_up });
    const plant = async (sign: (text: string) => Promise<{ key: string; proof: string } | null>) => {
      const begun = await ask(`${startStepUp.method} ${startStepUp.path}`, token, shown);
      const signed = await sign(String(begun.data.vote));
      await app(
        `UPDATE operators.challenge SET confirmed_at = now(), confirmed_by = 'passkey', vote_key = $2, proof = $3 WHERE id = $1`,
        [begun.data.step_up, signed?.key ?? null, signed?.proof ?? null],
      );
      return send(String(begun.data.step_up));
    };
    expect((await plant(async () => null)).data.code).toBe('vote_unsigned');
    expect((await plant(() => junk(fah))).data.code).toBe('vote_unsigned');
    const other = (text: string) => text.replace(shown.fingerprint, 'ab'.repeat(32));
    expect((await plant(async (text) => signAsDemoOperator(platform.dataDir, other(text)))).data.code).toBe(
      'vote_unsigned',
    );
    expect((await send(await insertConfirmedStepUp(platform, token, shown))).ret).toBe(1);
    expect((await send(await insertConfirmedStepUp(platform, token, shown))).ret).toBe(1);
  });

  it('is found where the second of two people is bribed, and the first one signed nothing', async () => {
    const [ploy, korn, fah] = [await idOf('ploy'), await idOf('korn'), await idOf('fah')];
    const nicha = await platform.signIn(DEMO_CUSTOMER);
    const asked = await ask('POST /pay/submit', nicha, { channel: 'promptpay', amount: '150000' });
    const { id, fiat } = asked.data as unknown as typeof order;
    const made = await imported(ploy, fiat.reference, 15_000_000n);
    const attestation = randomUUID();
    const counted = await confirmation(korn, 'balance.attest', 'THB', textOf(made), () => junk(korn));
    await app(attest, [attestation, made.closing, made.to, korn, counted, made.id]);
    await app('INSERT INTO deposits.statement_attestation (statement, attestation, attested_by) VALUES ($1, $2, $3)', [
      made.id,
      attestation,
      korn,
    ]);

    const seen = matchedText({ id, line: made.line, version: '0' });
    const matching = await confirmation(korn, 'deposit.match', id, seen, () => junk(korn));
    const approval = randomUUID();
    const content = canonicalText({ deposit: id, line: made.line, baht: '15000000', step_up: matching, version: '0' });
    await app(`SELECT operators.open_approval($1, 'deposit_match', $2, $3, 1, '{finance}', $4, '{}', NULL, NULL)`, [
      approval,
      id,
      content,
      korn,
    ]);
    const two = match.replace('NULL, NULL, $5', '$6, $7, $5');
    const values = [id, made.line, 15_000_000n, korn, matching, approval, fah];
    expect(await refusedBy(two, values)).toBe('DP008');
    await app('UPDATE operators.credential SET used_step = 0 WHERE operator = $1', [fah]);
    const { token } = await signInDemoOperator(platform, 'fah');
    const of = { op: 'approval.approve', id: approval, fingerprint: digest(content).toString('hex') };
    const [cast] = await app<{ is_decided: boolean }>(
      `SELECT v.is_decided FROM operators.challenge c, operators.cast_vote($1, c.operator, c.session, c.fingerprint, 'approve', NULL, c.id) v WHERE c.id = $2`,
      [approval, await insertConfirmedStepUp(platform, token, of)],
    );
    expect(cast).toEqual({ is_decided: true });
    expect(await refusedBy(two, values)).toBe('taken');
    expect(await found()).toContain(`deposit.match ${id}`);
  });
});
