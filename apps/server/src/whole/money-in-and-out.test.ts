import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type BankRuns, matchedText } from '@sathorn/api';
import { bankPaymentsOf, fingerprintOfBankRun, hashOfBankFile } from '@sathorn/treasury';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../checker/checker/index.ts';
import { DEMO_CUSTOMER } from '../demo/demo/index.ts';
import { statementFile, type TestLine, TestStatements } from '../money/testing-statement.ts';
import { runAsOwner } from '../platform/database/testing.ts';
import { insertConfirmedStepUp, proposed, signInDemoOperator } from './testing-operators.ts';
import {
  type Envelope,
  openTestPlatform,
  type TestForm,
  type TestPlatform,
  unseenByChecker,
} from './testing-platform.ts';

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

describe('money in and out, over HTTP and a chain of its own', () => {
  let platform: TestPlatform;
  let customer = '';
  const staff: Record<string, string> = {};
  beforeAll(async () => {
    platform = await openTestPlatform({ CHAIN: 'local', CHAIN_BLOCK_MS: '100' });
    customer = await platform.signIn(DEMO_CUSTOMER);
    // Lower thresholds, so that an uncertified customer can request an amount that two operators must approve.
    await runAsOwner(
      platform.test.owner,
      'INSERT INTO withdrawals.threshold (one_person_from, two_people_from) VALUES (100000000, 500000000)',
    );
    for (const name of ['korn', 'fah', 'ploy', 'mai']) staff[name] = (await signInDemoOperator(platform, name)).token;
  });
  afterAll(() => platform.close());

  const ask = (route: string, token: string, fields: TestForm | FormData = {}): Promise<Envelope> =>
    proposed(platform, route, fields, { token, 'idempotency-key': randomUUID() });
  const get = async (route: string, token: string, fields: TestForm | FormData = {}): Promise<Envelope['data']> => {
    const answer = await ask(route, token, fields);
    if (answer.ret !== 1) throw new Error(`${route}: ${answer.msg} ${JSON.stringify(answer.data)}`);
    return answer.data;
  };
  const until = async <Value>(read: () => Promise<Value>, isDone: (value: Value) => boolean): Promise<Value> => {
    for (let n = 0; n < 1_200; n += 1) {
      const value = await read();
      if (isDone(value)) return value;
      await pause(100);
    }
    throw new Error(`it never happened: ${JSON.stringify(await read())}; ${platform.faults.map(String).join('; ')}`);
  };
  type Listed = { items: { deposit?: Record<string, unknown>; withdrawal?: Record<string, unknown> }[] };
  const newest = async (setup: 'recharge' | 'withdraw'): Promise<Record<string, unknown>> => {
    const { items } = (await get('GET /users/account/lists', customer, { setup })) as unknown as Listed;
    return items[0]?.deposit ?? items[0]?.withdrawal ?? {};
  };
  /** Decides like an operator: reads the case, confirms exactly that, decides. */
  const decide = async (name: string, id: string, decision: 'approve' | 'reject', more: TestForm = {}) => {
    const token = staff[name] ?? '';
    const seen = (await get('GET /admin/withdrawals/info', token, { id })) as unknown as {
      version: number;
      decision: { approval: string; fingerprint: string } | null;
    };
    const { approval = '', fingerprint = '0'.repeat(64) } = seen.decision ?? {};
    const step_up = approval
      ? await insertConfirmedStepUp(platform, token, { op: `approval.${decision}`, id: approval, fingerprint })
      : '';
    return ask(`POST /admin/withdrawals/${decision}`, token, {
      id,
      version: String(seen.version),
      fingerprint,
      ...(step_up && { step_up }),
      ...more,
    });
  };
  /** Confirms exactly this match. */
  const stepUp = (token: string, fields: { id: string; version: string; line: string }): Promise<string> => {
    const fingerprint = createHash('sha256').update(matchedText(fields)).digest('hex');
    return insertConfirmedStepUp(platform, token, { op: 'deposit.match', id: fields.id, fingerprint });
  };
  /** Backdates the rows, so that the 24 hours have passed. */
  const passADay = (): Promise<void> =>
    runAsOwner(
      platform.test.owner,
      `UPDATE withdrawals.withdrawal SET delayed_until = now() - interval '1 minute' WHERE step = 'delayed';
       UPDATE payees.payee SET stored_at = stored_at - interval '25 hours'`,
    );

  it('a deposit is found, confirmed live and credited; the list shows it', async () => {
    const [channel] = (await get('GET /pay/lists', customer)) as unknown as { channel: string; address: string }[];
    expect(channel).toMatchObject({ channel: 'testnet', confirmations: 12, state: 'open' });
    const { hash } = await get('POST /pay/demo', customer, { channel: 'testnet', amount: '250' });
    const credited = await until(
      () => newest('recharge'),
      ({ step }) => step === 'credited',
    );
    expect(credited).toMatchObject({ hash, amount: '250.000000', status: 'completed', confirmations: 12 });
    const again = await get('POST /pay/submit', customer, { channel: 'testnet', hash: String(hash).toUpperCase() });
    expect(again).toMatchObject({ id: credited.id, step: 'credited' });
    const notices = async () =>
      (await get('POST /users/message', customer, { status: 'all' })) as { items: { content: string }[] };
    const order = String(credited.order_number);
    await until(notices, ({ items }) => items.filter(({ content }) => content.includes(order)).length === 1);
  });

  it('a payment to a card leaves in a file that two people sign, and a second person confirms the bank’s result', async () => {
    const card = { type: 'card', real_name: 'Nicha Phromsiri', ifsc: '0123', bank: 'SCB', number: '0123456789' };
    const contact = { phone: '0812345678', email: 'bank@demo.example', paypass: DEMO_CUSTOMER.paypass };
    const added = await get('POST /users/bank/add', customer, { ...card, ...contact });
    const target = String((added.card as { id: string }).id);
    const ids: string[] = [];
    await unseenByChecker(async () => {
      for (let n = 0; n < 2; n += 1) {
        const order = { channel: 'bank', target, amount: String(20 + 10 * n), paypass: DEMO_CUSTOMER.paypass };
        ids.push(String((await get('POST /users/extract', customer, order)).id));
      }
      await passADay();
    });
    const [paid = '', failed = ''] = ids;
    const stepOf = async (id: string) => (await get('GET /admin/withdrawals/info', staff.korn ?? '', { id })).step;
    for (const id of ids)
      await until(
        () => stepOf(id),
        (step) => step === 'approved',
      );
    // The checker must have scanned both payments.
    const bank = async (name: string) =>
      (await get('GET /admin/treasury/bank', staff[name] ?? '')) as unknown as BankRuns;
    await until(
      () => bank('korn'),
      ({ waiting }) => waiting.length === 2,
    );
    const opened = await get('POST /admin/treasury/bank/open', staff.korn ?? '', { withdrawals: ids.join() });
    const run = String(opened.run);
    const file = () => ask('POST /admin/treasury/bank/file', staff.korn ?? '', { id: run });
    for (const name of ['fah', 'ploy']) {
      expect(await file()).toMatchObject({ data: { code: 'run_unsigned' } });
      const payments = bankPaymentsOf((await bank(name)).run?.lines ?? []);
      const shown = { op: 'bank_run.sign', id: run, fingerprint: fingerprintOfBankRun(run, payments) };
      const step_up = await insertConfirmedStepUp(platform, staff[name] ?? '', shown);
      await get('POST /admin/treasury/bank/sign', staff[name] ?? '', {
        id: run,
        hash: hashOfBankFile(payments),
        step_up,
      });
    }
    const { csv } = (await file()).data;
    // 20 USDT minus 0.2 % at 33.08375. This test comes first, because the withdrawals of a day are summed.
    expect(csv).toContain('"SCB","0123","0123456789","Nicha Phromsiri","660.35","THB"');
    expect((await file()).data.csv).toBe(csv);
    expect(await bank('fah')).toMatchObject({
      run: null,
      waiting: [],
      recent: [{ id: run, step: 'signed', count: 2 }],
    });
    // Until the withdrawal is done it may be returned, so a refund of its amount could pay it twice.
    const [took] = await platform.test.database.query<{ sequence: string; customer: string }>(
      {
        name: '',
        text: `SELECT t.sequence::text, w.customer_id::text AS customer FROM withdrawals.withdrawal w
          JOIN ledger.transfer t ON t.resolves = w.hold WHERE w.id = $1`,
      },
      [paid],
    );
    const refund = {
      kind: 'refund',
      customer: took?.customer ?? '',
      transfer: took?.sequence ?? '',
      reason: 'charged_twice',
      case_kind: 'journal',
      case_id: paid,
    };
    expect(await ask('GET /admin/corrections/preview', staff.fah ?? '', refund)).toMatchObject({
      data: { code: 'already_corrected' },
    });
    const versionOf = async (id: string) =>
      String((await get('GET /admin/withdrawals/info', staff.korn ?? '', { id })).version);
    const said = { id: paid, version: await versionOf(paid), reference: 'SCB-0001' };
    expect(await get('POST /admin/withdrawals/paid', staff.korn ?? '', said)).toMatchObject({ step: 'sending' });
    expect(await decide('korn', paid, 'approve')).toMatchObject({ data: { code: 'maker_cannot_check' } });
    expect(await decide('fah', paid, 'approve')).toMatchObject({
      ret: 1,
      data: { step: 'done', reference: 'SCB-0001' },
    });
    const reused = { id: failed, version: await versionOf(failed), reference: 'SCB-0001' };
    expect(await ask('POST /admin/withdrawals/paid', staff.korn ?? '', reused)).toMatchObject({
      data: { code: 'reference_used' },
    });
    const back = { id: failed, version: await versionOf(failed), reason: 'payee_refused_by_bank' };
    await get('POST /admin/withdrawals/failed', staff.fah ?? '', back);
    expect(await decide('korn', failed, 'approve')).toMatchObject({
      data: { step: 'returned', reason: 'payee_refused_by_bank', status: 'failed' },
    });
  });

  it('D16 one person examines a large withdrawal, two others sign its payment run, and it arrives', async () => {
    await get('POST /demo/fund', customer, { asset: 'USDT', amount: '20000' });
    const form = { type: 'wallet', name: 'Hardware', coin: 'USDT', chain: 'testnet', address: ADDRESS };
    const added = await get('POST /users/bank/add', customer, { ...form, paypass: DEMO_CUSTOMER.paypass });
    const order = { channel: 'testnet', target: String((added.wallet as { id: string }).id), amount: '600' };
    const quote = await get('POST /users/extract/quote', customer, order);
    expect(quote).toMatchObject({ people: 2, delay_reason: 'new_payee', fee: '1.600000' });
    const request = { ...order, quote: String(quote.quote), paypass: DEMO_CUSTOMER.paypass };
    const id = await unseenByChecker(async () => {
      const asked = await get('POST /users/extract', customer, request);
      expect(asked).toMatchObject({ status: 'review', step: 'delayed', can_cancel: true });
      const early = await decide('korn', String(asked.id), 'approve');
      expect(early).toMatchObject({ ret: 0, data: { code: 'withdrawal_delayed' } });
      await passADay();
      return String(asked.id);
    });
    await until(
      () => newest('withdraw'),
      ({ step }) => step === 'first_check',
    );
    expect((await ask('POST /admin/withdrawals/approve', customer, { id })).ret).toBe(-1);
    expect(await decide('mai', id, 'approve').catch((error: Error) => error.message)).toMatchObject({
      ret: 0,
      data: { code: 'role_missing' },
    });
    const stale = await ask('POST /admin/withdrawals/approve', staff.ploy ?? '', {
      id,
      version: '0',
      fingerprint: '0'.repeat(64),
    });
    expect(stale).toMatchObject({ ret: 0, data: { code: 'version_stale' } });
    expect(await decide('korn', id, 'approve')).toMatchObject({ ret: 1, data: { step: 'approved' } });
    expect(await newest('withdraw')).toMatchObject({ approvals: [{ by: 'korn', role: 'finance' }] });

    // Who examined it signs no payment run of it; two others do, and the chain counts them.
    // What the hot wallet held above its ceiling has to arrive first.
    await until(
      async () =>
        (await get('GET /admin/treasury/info', staff.korn ?? '')).treasury as { held: { treasury: string } } | null,
      (treasury) => Number(treasury?.held.treasury ?? 0) > 1_000,
    );
    const { run } = await get('POST /admin/treasury/open', staff.korn ?? '', { withdrawals: id });
    const shown = (await get('GET /admin/treasury/info', staff.korn ?? '')).run as { hash: string };
    const sign = (name: string) =>
      ask('POST /admin/treasury/sign', staff[name] ?? '', { id: String(run), hash: shown.hash });
    expect(await sign('korn')).toMatchObject({ ret: 0, data: { code: 'examined_by_you' } });
    expect(await sign('fah')).toMatchObject({ ret: 1, data: { signatures: 1, threshold: 2 } });
    expect(await sign('fah')).toMatchObject({ ret: 0, data: { code: 'already_signed' } });
    expect(await newest('withdraw')).toMatchObject({ step: 'approved' });
    expect(await sign('ploy')).toMatchObject({ ret: 1, data: { signatures: 2 } });
    const done = await until(
      () => newest('withdraw'),
      ({ step }) => step === 'done',
    );
    expect(done).toMatchObject({ status: 'success', actual_amount: '598.400000', payee: { address: ADDRESS } });
    expect(done.approvals).toHaveLength(1);
  });

  it('one person rejects with a reason, and the money is back', async () => {
    const { wallets } = (await get('GET /users/bank', customer)) as unknown as { wallets: { id: string }[] };
    const order = { channel: 'testnet', target: wallets[0]?.id ?? '', amount: '200', paypass: DEMO_CUSTOMER.paypass };
    const { id } = await get('POST /users/extract', customer, order);
    await get('POST /admin/withdrawals/ask', staff.ploy ?? '', {
      id: String(id),
      version: '0',
      question: 'Whose is it?',
    });
    await get('POST /users/extract/answer', customer, { id: String(id), text: 'Mine.' });
    expect(await decide('fah', String(id), 'reject', { reason: 'customer_asked' })).toMatchObject({
      ret: 1,
      data: { step: 'returned', reason: 'customer_asked', question: 'Whose is it?', answer: 'Mine.' },
    });
    const late = await ask('POST /users/extract/cancel', customer, { id: String(id) });
    expect(late).toMatchObject({ ret: 0, data: { code: 'withdrawal_not_in_review' } });
  });

  it('a PromptPay order is paid, its slip sent, and a bank line matched once', async () => {
    const order = await get('POST /pay/submit', customer, { channel: 'promptpay', amount: '3341.63' });
    expect(order).toMatchObject({ step: 'awaiting_slip', fiat: { amount: '3341.63', rate: '33.416250' } });
    expect(String(order.amount)).toBe('100.000149');
    expect(String(order.qr)).toContain('5407' + '3341.63');
    const id = String(order.id);
    const picture = new FormData();
    const bytes = await sharp({ create: { width: 60, height: 90, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    picture.set('image', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'slip.png');
    const { id: slip } = await get('POST /users/upload', customer, picture);
    expect(await get('POST /pay/submit', customer, { channel: 'promptpay', id, slip: String(slip) })).toMatchObject({
      step: 'in_review',
      has_slip: true,
    });
    await get('POST /pay/demo', customer, { channel: 'promptpay', id });
    const korn = staff.korn ?? '';
    expect(String((await get('GET /admin/deposits/slip', korn, { id })).data_url)).toMatch(/^data:image\/webp/);
    const { items } = (await get('GET /admin/deposits/bank_lines', korn, { near: id, unused: 'true' })) as unknown as {
      items: { id: string; agrees_on: string[] }[];
    };
    expect(items[0]?.agrees_on).toEqual(['amount', 'reference']);
    const { version } = (await get('GET /admin/deposits/info', korn, { id })) as unknown as { version: number };
    const match = { id, version: String(version), line: items[0]?.id ?? '' };
    const both = await Promise.all(
      [korn, staff.fah ?? ''].map(async (token) =>
        ask('POST /admin/deposits/match', token, { ...match, step_up: await stepUp(token, match) }),
      ),
    );
    expect(both.map(({ ret }) => ret).sort()).toEqual([0, 1]);
    expect(await newest('recharge')).toMatchObject({ id, step: 'credited', status: 'completed', amount: '100.000149' });
    const other = await get('POST /pay/submit', customer, { channel: 'bank', amount: '3341.63' });
    const again = { ...match, id: String(other.id), version: '0' };
    const reused = await ask('POST /admin/deposits/match', korn, { ...again, step_up: await stepUp(korn, again) });
    expect(reused).toMatchObject({ ret: 0, data: { code: 'line_used' } });
    expect(
      await get('POST /admin/deposits/return', korn, { id: String(other.id), version: '0', reason: 'not_arrived' }),
    ).toMatchObject({ step: 'returned', reason: 'not_arrived' });
  });

  it('a bank line is matched only with a proof of the operator’s factor, bound to that line', async () => {
    const korn = staff.korn ?? '';
    const { id } = (await get('POST /pay/submit', customer, { channel: 'promptpay', amount: '500' })) as {
      id: string;
    };
    await get('POST /pay/demo', customer, { channel: 'promptpay', id });
    const { items } = (await get('GET /admin/deposits/bank_lines', korn, { near: id, unused: 'true' })) as unknown as {
      items: { id: string }[];
    };
    const { version, match_asks } = await get('GET /admin/deposits/info', korn, { id });
    expect(match_asks).toBe('step_up');
    const match = { id, version: String(version), line: items[0]?.id ?? '' };
    const shown = {
      op: 'deposit.match',
      id,
      fingerprint: createHash('sha256').update(matchedText(match)).digest('hex'),
    };
    const wrong = [
      {},
      { step_up: randomUUID() },
      { step_up: await insertConfirmedStepUp(platform, staff.fah ?? '', shown) },
      { step_up: await insertConfirmedStepUp(platform, korn, { ...shown, fingerprint: 'ab'.repeat(32) }) },
      { step_up: await insertConfirmedStepUp(platform, korn, { ...shown, op: 'balance.attest' }) },
    ];
    for (const more of wrong)
      expect((await ask('POST /admin/deposits/match', korn, { ...match, ...more })).data.code).toMatch(/^step_up_/);
    expect(await newest('recharge')).not.toMatchObject({ step: 'credited', fiat: { amount: '500.00' } });
    const step_up = await insertConfirmedStepUp(platform, korn, shown);
    expect(await get('POST /admin/deposits/match', korn, { ...match, step_up })).toMatchObject({ step: 'credited' });
  });

  const statements = new TestStatements();
  it('a statement is imported once, and half a statement not at all', async () => {
    const korn = staff.korn ?? '';
    const text = statements.text([
      ['B-1', '500.00', 'REF1'],
      ['B-2', '700.00', 'REF2'],
    ]);
    const route = 'POST /admin/deposits/bank_import';
    expect(await get(route, korn, statementFile(text))).toMatchObject({ lines: 2, new: 2, duplicates: 0 });
    expect(await get(route, korn, statementFile(text))).toMatchObject({ lines: 2, new: 0, duplicates: 2 });
    statements.kept();
    const broken = await ask(route, korn, statementFile(`${statements.text([])}\nB-3,never,1.00,D,REF3`));
    expect(broken).toMatchObject({ ret: 0, data: { code: 'statement_line_wrong' } });
  });

  describe('slips and a batch of bank lines', () => {
    const route = 'POST /admin/deposits/bank_import';
    const importLines = async (who: string, lines: readonly TestLine[]): Promise<Envelope['data']> => {
      const imported = await get(route, staff[who] ?? '', statementFile(statements.text(lines)));
      statements.kept();
      return imported;
    };
    let other = '';
    interface Order {
      readonly id: string;
      readonly reference: string;
    }
    const orderOf = async (token: string, amount = '1234.00'): Promise<Order> => {
      const { id, fiat } = await get('POST /pay/submit', token, { channel: 'bank', amount });
      return { id: String(id), reference: (fiat as { reference: string }).reference };
    };
    const upload = async (token: string, shade: string | Buffer): Promise<string> => {
      const bytes =
        typeof shade === 'string'
          ? await sharp({ create: { width: 40, height: 60, channels: 3, background: shade } })
              .png()
              .toBuffer()
          : shade;
      const picture = new FormData();
      picture.set('image', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'slip.png');
      return String((await get('POST /users/upload', token, picture)).id);
    };
    const lineId = async (number: string): Promise<string> => {
      const [row] = await platform.test.database.query<{ id: string }>({
        name: '',
        text: `SELECT id FROM deposits.bank_line WHERE bank_reference = '${number}'`,
      });
      return row?.id ?? '';
    };
    const match = async (name: string, id: string, number: string): Promise<Envelope> => {
      const { version } = await get('GET /admin/deposits/info', staff[name] ?? '', { id });
      const fields = { id, version: String(version), line: await lineId(number) };
      const step_up = await stepUp(staff[name] ?? '', fields);
      return ask('POST /admin/deposits/match', staff[name] ?? '', { ...fields, step_up });
    };
    const code = ({ ret, data }: Envelope): unknown => (ret === 1 ? 'ok' : data.code);
    beforeAll(async () => {
      other = await platform.signIn({ username: 'anan', password: 'Rama8Bridge' });
    });

    it('the same row twice is one line; a repeated number is reported, and nothing is left out', async () => {
      const [one, two]: TestLine[] = [
        ['BATCH-1', '10.00', 'X1'],
        ['BATCH-2', '20.00', 'X2'],
      ];
      if (!one || !two) throw new Error('no lines');
      expect(await importLines('korn', [one, one, two])).toMatchObject({
        lines: 2,
        new: 2,
        duplicates: 1,
        twins: [],
      });
      const sent = async (lines: readonly TestLine[]) =>
        code(await ask(route, staff.korn ?? '', statementFile(statements.text(lines))));
      expect(
        await importLines('korn', [
          ['NEW-1', '1.00', 'Y'],
          ['BATCH-1', '10.01', 'X1'],
          ['BATCH-3', '5.00', 'A'],
          ['BATCH-3', '5.00', 'B'],
        ]),
      ).toMatchObject({
        lines: 4,
        new: 4,
        duplicates: 0,
        twins: [
          { line: '8', bank_reference: 'BATCH-1' },
          { line: '10', bank_reference: 'BATCH-3' },
        ],
      });
      // The number alone does not prove that it is another transfer, so one person cannot match it.
      const { id } = await orderOf(customer, '123.00');
      await importLines('korn', [['BATCH-3', '123.00', 'C']]);
      const [third] = await platform.test.database.query<{ id: string }>({
        name: '',
        text: `SELECT id FROM deposits.bank_line WHERE bank_reference = 'BATCH-3' AND twin = 2`,
      });
      const { version } = await get('GET /admin/deposits/info', staff.fah ?? '', { id });
      const pair = { id, version: String(version), line: third?.id ?? '' };
      const step_up = await stepUp(staff.fah ?? '', pair);
      expect(await get('POST /admin/deposits/match', staff.fah ?? '', { ...pair, step_up })).toMatchObject({
        step: 'awaiting_slip',
        decision: { line: pair.line },
      });
      await get('POST /admin/deposits/return', staff.korn ?? '', { id, version: pair.version, reason: 'not_arrived' });
      for (const bad of ['0.00', '1.001', '1e3', '1,000.00', ''])
        expect(await sent([['BATCH-4', bad, 'A']])).toBe('statement_line_wrong');
    });

    it('one statement imported by two people at once, in opposite orders, adds each line once', async () => {
      const text = statements.text(
        Array.from({ length: 200 }, (_, n) => [`BOTH-${n}`, `${n + 1}.00`, `R${n}`] as const),
      );
      const rows = text.split('\n');
      const backwards = [...rows.slice(0, 6), ...rows.slice(6).reverse()].join('\n');
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, n) =>
          get(route, staff[n % 2 ? 'korn' : 'fah'] ?? '', statementFile(n % 2 ? text : backwards)),
        ),
      );
      statements.kept();
      expect(answers.reduce((sum, { new: fresh }) => sum + Number(fresh), 0)).toBe(200);
    });

    it('one slip sent in parallel proves one order, and another customer’s slip none', async () => {
      const [first, second, theirs] = [await orderOf(customer), await orderOf(customer), await orderOf(other)];
      const slip = await upload(customer, '#123456');
      const send = (token: string, id: string) => ask('POST /pay/submit', token, { channel: 'bank', id, slip });
      const both = await Promise.all([first, second].map(({ id }) => send(customer, id)));
      expect(both.map(code).sort()).toEqual(['ok', 'slip_unknown']);
      expect(code(await send(other, theirs.id))).toBe('slip_unknown');
      // The same picture uploaded again is another file; operators see that it belongs to two deposits.
      const sent = both[0]?.ret === 1 ? first : second;
      const again = await upload(other, '#123456');
      expect(code(await ask('POST /pay/submit', other, { channel: 'bank', id: theirs.id, slip: again }))).toBe('ok');
      const caseOf = (id: string) => get('GET /admin/deposits/info', staff.korn ?? '', { id });
      const numbers = [await caseOf(sent.id), await caseOf(theirs.id)];
      expect(numbers.map(({ same_picture_as: number }) => number)).toEqual(
        numbers.map(({ order_number: number }) => number).reverse(),
      );
      expect(code(await send(customer, sent.id))).toBe('ok');
      expect(code(await send(other, first.id))).toBe('deposit_unknown');
      for (const { id } of [first, second, theirs]) {
        const { version } = await get('GET /admin/deposits/info', staff.korn ?? '', { id });
        const fields = { id, version: String(version), reason: 'not_arrived' };
        await get('POST /admin/deposits/return', staff.korn ?? '', fields);
      }
    });

    it('a slip that was saved again, smaller, is shown to operators beside the first one', async () => {
      const orders = [await orderOf(customer), await orderOf(other), await orderOf(customer)];
      const [width, height] = [600, 900];
      const barsFrom = (first: number): Promise<Buffer> => {
        const pixels = Buffer.alloc(width * height * 3, 240);
        for (let n = 0; n < 50; n += 1) {
          const [left, top] = [(first + n * 137) % (width - 160), (first * 3 + n * 211) % (height - 40)];
          for (let y = top; y < top + 24; y += 1)
            pixels.fill((n % 3) * 40, (y * width + left) * 3, (y * width + left + 50 + ((n * 53) % 100)) * 3);
        }
        return sharp(pixels, { raw: { width, height, channels: 3 } })
          .png()
          .toBuffer();
      };
      const slip = await barsFrom(1);
      const again = await sharp(slip).resize(400).jpeg({ quality: 70 }).toBuffer();
      const cases = [];
      for (const [n, bytes] of [slip, again, await barsFrom(77)].entries()) {
        const [id, token] = [orders[n]?.id ?? '', n === 1 ? other : customer];
        const sent = { channel: 'bank', id, slip: await upload(token, bytes) };
        expect(code(await ask('POST /pay/submit', token, sent))).toBe('ok');
        cases.push(await get('GET /admin/deposits/info', staff.korn ?? '', { id }));
      }
      expect(cases).toMatchObject([
        { same_picture_as: null, similar_picture_as: null },
        { same_picture_as: null, similar_picture_as: cases[0]?.order_number },
        { same_picture_as: null, similar_picture_as: null },
      ]);
      for (const { id, version } of cases)
        await get('POST /admin/deposits/return', staff.korn ?? '', {
          id: String(id),
          version: String(version),
          reason: 'not_arrived',
        });
    });

    it('two slips for one line in parallel: one is credited', async () => {
      const orders = [await orderOf(customer), await orderOf(customer)];
      await importLines('korn', [['ONE-LINE', '1234.00', 'MISTYPED']]);
      const both = await Promise.all(orders.map(({ id }) => match('fah', id, 'ONE-LINE')));
      expect(both.map(code).sort()).toEqual(['line_used', 'ok']);
      const credited = await platform.test.database.query({
        name: '',
        text: `SELECT 1 FROM deposits.deposit d JOIN deposits.bank_line l ON l.id = d.bank_line WHERE l.bank_reference = 'ONE-LINE'`,
      });
      expect(credited).toHaveLength(1);
    });

    it('a satang less is credited as it came; a mistyped reference waits, another’s never matches', async () => {
      const [mine, theirs] = [await orderOf(customer), await orderOf(other)];
      const off = (reference: string): string => `${reference.slice(0, -1)}${reference.endsWith('A') ? 'B' : 'A'}`;
      await importLines('korn', [
        ['OFF-LESS', '1233.99', mine.reference],
        ['OFF-MORE', '1234.01', mine.reference],
        ['OF-OTHER', '1234.00', theirs.reference.toLowerCase()],
        ['OFF-REFERENCE', '1234.00', off(mine.reference)],
      ]);
      expect(code(await match('fah', mine.id, 'OF-OTHER'))).toBe('line_of_another');
      expect(code(await match('fah', mine.id, 'NO-SUCH-LINE'))).not.toBe('ok');
      const { items } = (await get('GET /admin/deposits/bank_lines', staff.korn ?? '', {
        near: mine.id,
        unused: 'true',
      })) as unknown as { items: { bank_reference: string; agrees_on: string[] }[] };
      const found = items.find(({ bank_reference }) => bank_reference === 'OFF-REFERENCE');
      expect(found?.agrees_on).toEqual(['amount']);
      expect(code(await match('fah', mine.id, 'OFF-REFERENCE'))).toBe('ok');
      expect(code(await match('fah', theirs.id, 'OF-OTHER'))).toBe('ok');
      // Another amount and a mistyped reference match in nothing, so the first operator can only propose the line.
      const next = await orderOf(customer);
      expect((await match('fah', next.id, 'OFF-LESS')).data).toMatchObject({ step: 'awaiting_slip' });
      const last = await orderOf(customer);
      await importLines('korn', [['OWN-LESS', '1233.99', last.reference]]);
      const { data } = await match('fah', last.id, 'OWN-LESS');
      expect(data).toMatchObject({
        step: 'credited',
        amount: '36.927841',
        fiat: { amount: '1234.00', came: '1233.99' },
      });
    });

    it('a payment is credited once, one way: two people match an expired order, no correction pays it', async () => {
      const { id, reference } = await orderOf(customer);
      await get('POST /pay/demo', customer, { channel: 'bank', id });
      const number = `TEST-${reference}`;
      await runAsOwner(
        platform.test.owner,
        `UPDATE deposits.deposit SET step = 'failed', reason = 'expired', finished_at = now() WHERE id = '${id}'`,
      );
      const slip = await upload(customer, '#654321');
      expect(code(await ask('POST /pay/submit', customer, { channel: 'bank', id, slip }))).toBe('deposit_finished');
      const { customer: owner } = (await get('GET /admin/deposits/info', staff.fah ?? '', { id })) as unknown as {
        customer: { id: string };
      };
      const proposal = {
        kind: 'refund',
        customer: owner.id,
        deposit: id,
        reason: 'deposit_lost',
        case_kind: 'deposit',
        case_id: id,
        words: 'Your transfer came after its order.',
      };
      expect(code(await ask('POST /admin/corrections/make', staff.fah ?? '', proposal))).toBe('deposit_not_lost');
      expect((await match('fah', id, number)).data).toMatchObject({
        step: 'returned',
        decision: { line: expect.any(String) },
      });
      const seen = (await get('GET /admin/deposits/info', staff.korn ?? '', { id })) as unknown as {
        version: number;
        decision: { approval: string; fingerprint: string };
      };
      const { approval, fingerprint } = seen.decision;
      const step_up = await insertConfirmedStepUp(platform, staff.korn ?? '', {
        op: 'approval.approve',
        id: approval,
        fingerprint,
      });
      const fields = { id, version: String(seen.version), line: await lineId(number), fingerprint, step_up };
      expect(await ask('POST /admin/deposits/match', staff.korn ?? '', fields)).toMatchObject({
        ret: 1,
        data: { step: 'credited', amount: '36.928141', fiat: { amount: '1234.00', came: '1234.00' } },
      });
      const again = await orderOf(customer);
      expect(code(await match('fah', again.id, number))).toBe('line_used');
      expect(await findViolations(platform.test.checker)).toEqual([]);
    });
  });
});
