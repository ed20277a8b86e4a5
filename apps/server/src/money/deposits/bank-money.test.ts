import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { attestedText, matchedText } from '@sathorn/api';
import { formatDecimal, parseDecimal } from '@sathorn/money';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findUnsignedActs, findViolations } from '../../checker/checker/index.ts';
import { DEMO_CUSTOMER } from '../../demo/demo/index.ts';
import { runAsOwner } from '../../platform/database/testing.ts';
import { checkerVotersFile, readPinnedVoters } from '../../staff/votes/index.ts';
import { insertConfirmedStepUp, signInDemoOperator } from '../../whole/testing-operators.ts';
import { type Envelope, openTestPlatform, type TestForm, type TestPlatform } from '../../whole/testing-platform.ts';
import { statementFile, type TestLine, TestStatements } from '../testing-statement.ts';

interface Order {
  readonly id: string;
  readonly fiat: { readonly reference: string };
}
const code = ({ ret, data }: Envelope): unknown => (ret === 1 ? (data.step ?? 'ok') : data.code);

describe('money from a text file', () => {
  let platform: TestPlatform;
  const customers: Record<string, string> = {};
  const staff: Record<string, string> = {};
  const statements = new TestStatements();
  beforeAll(async () => {
    platform = await openTestPlatform({ CHAIN: 'local', CHAIN_BLOCK_MS: '100' });
    customers.nicha = await platform.signIn(DEMO_CUSTOMER);
    customers.anan = await platform.signIn({ username: 'anan', password: 'Rama8Bridge' });
    for (const name of ['korn', 'fah', 'ploy', 'mai']) staff[name] = (await signInDemoOperator(platform, name)).token;
    // The house can pay nothing before its own first transfer on the chain is confirmed.
    type Accounts = { items: { name: string; asset: string; total: string }[] };
    const capital = async (): Promise<number> => {
      const { data } = await ask('GET /admin/ledger/accounts', staff.fah ?? '', { asset: 'USDT' });
      return Number((data as unknown as Accounts).items.find(({ name }) => name === 'house_capital')?.total ?? 0);
    };
    for (let n = 0; n < 600 && (await capital()) === 0; n += 1) await pause(100);
  });
  afterAll(() => platform.close());

  const ask = async (route: string, token: string, fields: TestForm | FormData = {}): Promise<Envelope> =>
    (await platform.send(route, fields, { token, 'idempotency-key': randomUUID() })).answer;
  const order = async (amount: string, who = 'nicha'): Promise<Order> => {
    const asked = await ask('POST /pay/submit', customers[who] ?? '', { channel: 'promptpay', amount });
    if (asked.ret !== 1) throw new Error(`order: ${asked.msg}`);
    return asked.data as unknown as Order;
  };
  const importAs = async (
    who: string,
    lines: readonly TestLine[],
  ): Promise<{ to: Date; closing: string; id: string }> => {
    const answer = await ask(
      'POST /admin/deposits/bank_import',
      staff[who] ?? '',
      statementFile(statements.text(lines)),
    );
    if (answer.ret !== 1) throw new Error(`import: ${answer.msg}`);
    return { ...statements.kept(), id: String(answer.data.statement) };
  };
  const lineOf = async (number: string): Promise<string> => {
    const [row] = await platform.test.database.query<{ id: string }>({
      name: '',
      text: `SELECT id FROM deposits.bank_line WHERE bank_reference = '${number}' AND twin = 0`,
    });
    return row?.id ?? randomUUID();
  };
  /** Matches as the console does, with a confirmation of exactly this line or of the colleague's proposal. */
  const match = async (who: string, id: string, number: string): Promise<Envelope> => {
    const token = staff[who] ?? '';
    const seen = (await ask('GET /admin/deposits/info', token, { id })).data as unknown as {
      version: number;
      decision: { approval: string; fingerprint: string } | null;
    };
    const fields = { id, version: String(seen.version), line: await lineOf(number) };
    const shown = seen.decision
      ? { op: 'approval.approve', id: seen.decision.approval, fingerprint: seen.decision.fingerprint }
      : { op: 'deposit.match', id, fingerprint: createHash('sha256').update(matchedText(fields)).digest('hex') };
    const step_up = await insertConfirmedStepUp(platform, token, shown);
    return ask('POST /admin/deposits/match', token, {
      ...fields,
      step_up,
      ...(seen.decision && { fingerprint: seen.decision.fingerprint }),
    });
  };
  const attest = async (
    who: string,
    { id, to, closing }: { to: Date; closing: string; id: string },
    asset: 'THB' | 'USDT' = 'THB',
  ): Promise<Envelope> => {
    const at = to.toISOString();
    const fields = { asset, counted: closing, as_of: at, statement: 'KBANK', bank_statement: id } as const;
    const fingerprint = createHash('sha256')
      .update(attestedText({ ...fields, as_of: to }))
      .digest('hex');
    const step_up = await insertConfirmedStepUp(platform, staff[who] ?? '', {
      op: 'balance.attest',
      id: asset,
      fingerprint,
    });
    return ask('POST /admin/reconciliation/attest', staff[who] ?? '', { ...fields, step_up });
  };
  const giveUp = async ({ id }: Order): Promise<void> => {
    const { version } = (await ask('GET /admin/deposits/info', staff.korn ?? '', { id })).data;
    await ask('POST /admin/deposits/return', staff.korn ?? '', { id, version: String(version), reason: 'not_arrived' });
  };

  it('cannot be created by one finance operator alone, however often they try', async () => {
    const codes: unknown[] = [];
    for (let n = 0; n < 6; n += 1) {
      const one = await order('1999999.99');
      await importAs('korn', [[`FORGED-${n}`, '1999999.99', one.fiat.reference]]);
      codes.push(code(await match('korn', one.id, `FORGED-${n}`)));
      await giveUp(one);
    }
    expect(codes).toEqual(Array(6).fill('own_import'));
  });

  it('nor in small sums, nor with a line that a colleague imports again', async () => {
    const one = await order('100');
    const text = statements.text([['SMALL', '100.00', one.fiat.reference]]);
    expect(code(await ask('POST /admin/deposits/bank_import', staff.korn ?? '', statementFile(text)))).toBe('ok');
    statements.kept();
    expect(code(await match('korn', one.id, 'SMALL'))).toBe('own_import');
    expect(code(await ask('POST /admin/deposits/bank_import', staff.fah ?? '', statementFile(text)))).toBe('ok');
    expect(code(await match('korn', one.id, 'SMALL'))).toBe('own_import');
    // In the colleague's own statement it is a separate line, which is reported.
    const again = statements.text([['SMALL', '100.00', one.fiat.reference]]);
    const second = await ask('POST /admin/deposits/bank_import', staff.fah ?? '', statementFile(again));
    expect(second.data).toMatchObject({ new: 1, twins: [{ line: '7', bank_reference: 'SMALL' }] });
    statements.kept();
    expect(code(await match('fah', one.id, 'SMALL'))).toBe('credited');
  });

  it('a statement continues the one before, and its lines add up', async () => {
    const send = async (text: string) =>
      code(await ask('POST /admin/deposits/bank_import', staff.korn ?? '', statementFile(text)));
    expect(await send(statements.text([['GAP-1', '5.00', 'R']], { opening: '1.00', closing: '6.00' }))).toBe(
      'statement_gap',
    );
    expect(await send(statements.text([['GAP-1', '5.00', 'R']], { closing: '6.00' }))).toBe('statement_sum_differs');
    expect(await send(statements.text([]).replace('000-0-00000-0', '111-1-11111-1'))).toBe('bank_account_unknown');
    expect(await send('bank_reference,at,amount,payer,reference\nX,2026-01-01T00:00:00Z,5.00,P,R')).toBe(
      'statement_head_missing',
    );
    // Two people import at once; only one of them comes next.
    const text = statements.text([['RACE-1', '5.00', 'R']]);
    const both = await Promise.all([text, text.replace('RACE-1', 'RACE-2')].map(send));
    expect(both.sort()).toEqual(['bank_line_differs', 'ok']);
    statements.kept();
    expect(await send(text.replace('closing,', 'opening,1.00\nclosing,'))).toBe('statement_line_wrong');
  });

  it('nothing above a small sum is matched before a second person has attested the closing balance', async () => {
    const [small, large] = [await order('9000'), await order('2000')];
    const made = await importAs('korn', [
      ['UNPROVEN-1', '9000.00', small.fiat.reference],
      ['UNPROVEN-2', '2000.00', large.fiat.reference],
    ]);
    expect(code(await match('fah', small.id, 'UNPROVEN-1'))).toBe('credited');
    expect(code(await match('fah', large.id, 'UNPROVEN-2'))).toBe('statement_unattested');
    expect(code(await attest('korn', made))).toBe('own_import');
    expect(code(await attest('fah', { ...made, closing: '1.00' }))).toBe('statement_balance_differs');
    const inUsdt = formatDecimal(parseDecimal(made.closing, 2) ?? 0n, 6);
    expect(code(await attest('fah', { ...made, closing: inUsdt }, 'USDT'))).toBe('statement_balance_differs');
    expect(code(await attest('fah', { ...made, id: randomUUID() }))).toBe('statement_unknown');
    expect(code(await attest('fah', made))).toBe('ok');
    expect(code(await attest('fah', made))).toBe('already_attested');
    expect(code(await match('fah', large.id, 'UNPROVEN-2'))).toBe('credited');
  });

  it('above certain sums a match needs a second person who did not import the line', async () => {
    const [first, second, theirs] = [await order('60000'), await order('40000'), await order('40000', 'anan')];
    const made = await importAs('korn', [
      ['SUM-1', '60000.00', first.fiat.reference],
      ['SUM-2', '40000.00', second.fiat.reference],
      ['SUM-3', '40000.00', theirs.fiat.reference],
    ]);
    expect(code(await attest('fah', made))).toBe('ok');
    expect(code(await match('fah', first.id, 'SUM-1'))).toBe('credited');
    // Another customer’s deposit counts for the matcher and the day.
    for (const [id, number] of [
      [second.id, 'SUM-2'],
      [theirs.id, 'SUM-3'],
    ] as const) {
      expect(code(await match('fah', id, number))).toMatch(/awaiting_slip|in_review/);
      expect(code(await match('korn', id, number))).toBe('own_import');
      expect(code(await match('fah', id, number))).toBe('maker_cannot_check');
    }
    const { match_asks } = (await ask('GET /admin/deposits/info', staff.fah ?? '', { id: second.id })).data;
    expect(match_asks).toBe('two_people');
    // The demo’s bank reports payments itself, so two finance operators are enough.
    const paid = await order('50000', 'anan');
    await ask('POST /pay/demo', customers.anan ?? '', { channel: 'promptpay', id: paid.id });
    const number = `TEST-${paid.fiat.reference}`;
    expect(code(await match('fah', paid.id, number))).toBe('awaiting_slip');
    expect(code(await match('korn', paid.id, number))).toBe('credited');
  });

  it('a proposal that nobody decided lapses after 72 hours', async () => {
    const { id, fiat } = await order('150000', 'anan');
    await ask('POST /pay/demo', customers.anan ?? '', { channel: 'promptpay', id });
    const line = `TEST-${fiat.reference}`;
    expect(code(await match('fah', id, line))).toBe('awaiting_slip');
    const [approval] = await platform.test.database.query<{ hours: number }>({
      name: '',
      text: `SELECT round(extract(epoch FROM expires_at - made_at) / 3600)::integer AS hours FROM operators.approval WHERE kind = 'deposit_match' AND subject = '${id}'`,
    });
    expect(approval?.hours).toBe(72);
    await runAsOwner(
      platform.test.owner,
      `SET session_replication_role = replica; UPDATE operators.approval SET expires_at = now() - interval '1 minute' WHERE kind = 'deposit_match' AND subject = '${id}'`,
    );
    // The colleague’s match is a new proposal, and does not decide the old one.
    expect(code(await match('korn', id, line))).toBe('awaiting_slip');
    expect(code(await match('fah', id, line))).toBe('credited');
  });

  it('is marked on the dashboard without a slip, as a large first deposit or on an unusual day', async () => {
    const one = await order('300', 'anan');
    const picture = new FormData();
    const slip = await sharp({ create: { width: 40, height: 60, channels: 3, background: '#345' } })
      .png()
      .toBuffer();
    picture.set('image', new Blob([new Uint8Array(slip)], { type: 'image/png' }), 'slip.png');
    const { id } = (await ask('POST /users/upload', customers.anan ?? '', picture)).data;
    await ask('POST /pay/submit', customers.anan ?? '', { channel: 'promptpay', id: one.id, slip: String(id) });
    await importAs('korn', [['WITH-SLIP', '300.00', one.fiat.reference]]);
    expect(code(await match('fah', one.id, 'WITH-SLIP'))).toBe('credited');

    type Shown = { bank_matches: { order_number: string; by: { work_name: string }; baht: string; marks: string[] }[] };
    const shown = (await ask('GET /admin/dashboard', staff.korn ?? '')).data as unknown as Shown;
    // Newest first.
    expect(shown.bank_matches.map(({ by, baht, marks }) => [by.work_name, baht, ...marks])).toEqual([
      ['fah', '300.00', 'unusual_day'],
      ['korn', '150000.00', 'no_slip', 'unusual_day'],
      ['fah', '50000.00', 'no_slip', 'first_large', 'unusual_day'],
      ['fah', '60000.00', 'no_slip'],
      ['fah', '2000.00', 'no_slip'],
      ['fah', '9000.00', 'no_slip'],
      ['fah', '100.00', 'no_slip'],
    ]);
    const alarms = platform.faults.map(String).filter((fault) => fault.includes('alarm: deposits: operator'));
    const about = (baht: string) => shown.bank_matches.find((one) => one.baht === baht)?.order_number ?? '';
    for (const [baht, marks] of [
      ['60000.00', 'no_slip'],
      ['50000.00', 'no_slip, first_large, unusual_day'],
      ['150000.00', 'no_slip, unusual_day'],
      ['300.00', 'unusual_day'],
    ] as const)
      expect(alarms.filter((alarm) => alarm.includes(about(baht)))).toEqual([expect.stringMatching(`: ${marks}$`)]);
    for (const baht of ['9000.00', '2000.00', '100.00'])
      expect(alarms.filter((alarm) => alarm.includes(about(baht)))).toEqual([]);
    expect((await ask('GET /admin/dashboard', staff.mai ?? '')).data.bank_matches).toBeNull();
  });

  it('does not count for a level on its day, in the engine and in the database', async () => {
    const { data } = await ask('GET /task/level', customers.nicha ?? '');
    expect(data).toMatchObject({ level: 0, deposited: '0.000000' });
    expect(Number(data.waiting)).toBeGreaterThan(1_000);
    const [row] = await platform.test.database.query<{ now: string; held: string }>({
      name: '',
      text: `SELECT deposits.held_inflow(id, clock_timestamp(), 0)::text AS now, deposits.held_inflow(id, clock_timestamp(), 7)::text AS held
        FROM customers.customer WHERE username = 'nicha'`,
    });
    expect(row).toEqual({ now: String(data.waiting).replace('.', ''), held: '0' });
  });

  it('the database refuses each of these, whatever the application claims', async () => {
    const one = await order('777');
    const made = await importAs('korn', [['BELOW', '777.00', one.fiat.reference]]);
    const run = async (text: string): Promise<string> => {
      try {
        await platform.test.database.query({ name: '', text });
        return 'done';
      } catch (error) {
        return String((error as { code?: unknown }).code);
      }
    };
    const line = await lineOf('BELOW');
    const rows = await platform.test.database.query<{ id: bigint; work_name: string }>({
      name: '',
      text: "SELECT id, work_name FROM operators.operator WHERE work_name IN ('korn', 'fah')",
    });
    const idOf = (name: string): string => String(rows.find(({ work_name }) => work_name === name)?.id);
    const matched = (by: string) =>
      run(
        `SELECT deposits.match('${one.id}', 0, '${line}', 1, 1, '${randomUUID()}', now(), ${by}, NULL, NULL, NULL, NULL)`,
      );
    // Matches as the importer, and then as a colleague in whose name nothing was confirmed.
    expect(await matched(idOf('korn'))).toBe('DP008');
    expect(await matched(idOf('fah'))).toBe('DP008');
    expect(
      await run(
        `UPDATE deposits.deposit SET step = 'credited', journal = '${randomUUID()}', bank_line = '${line}', finished_at = now() WHERE id = '${one.id}'`,
      ),
    ).toBe('DP008');
    expect(await run(`SELECT deposits.credit('${one.id}', NULL, '${randomUUID()}', '${line}', now(), NULL)`)).toBe(
      'DP008',
    );
    const insert = (statement: string, by: string) =>
      `INSERT INTO deposits.bank_line (id, bank_reference, at, amount, payer, reference, imported_by, statement) VALUES ('${randomUUID()}', 'PLANTED', now(), 77700, 'X', 'R', ${by}, ${statement})`;
    expect(await run(insert('NULL', 'NULL'))).toBe('DP007');
    expect(await run(insert(`'${made.id}'`, idOf('korn')))).toBe('DP007');
    expect(await run(`UPDATE deposits.bank_line SET statement = '${made.id}' WHERE bank_reference = 'SMALL'`)).toBe(
      'DP003',
    );
    expect(
      await run(
        `INSERT INTO deposits.statement_attestation (statement, attestation, attested_by) VALUES ('${made.id}', '${randomUUID()}', ${idOf('fah')})`,
      ),
    ).toBe('DP007');
    expect(
      await run(
        `INSERT INTO deposits.bank_statement (id, account, source, previous, from_at, to_at, opening, closing, lines, received, paid_out) VALUES ('${randomUUID()}', '000-0-00000-0', 'feed', NULL, now(), now() + interval '1 second', 0, 0, 0, 0, 0)`,
      ),
    ).not.toBe('done');
    await giveUp(one);
    expect(await findViolations(platform.test.checker)).toEqual([]);
    // Everything that was matched and attested above was signed.
    const pinned = readPinnedVoters(checkerVotersFile(platform.dataDir), platform.test.owner);
    expect(await findUnsignedActs(platform.test.checker, pinned)).toEqual([]);
  });
});
