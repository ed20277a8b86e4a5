import { randomUUID } from 'node:crypto';
import {
  approveApproval,
  buyOption,
  confirmStepUp,
  endCustomerSessions,
  extendFreeze,
  findCustomers,
  freezeCustomer,
  fundDemo,
  liftFreeze,
  listApprovals,
  listCustomerActions,
  listCustomerLedger,
  listCustomerMessages,
  listCustomerOrders,
  listCustomerPayees,
  listEntries,
  listMessages,
  listStaffActions,
  loginCustomer,
  messageCustomer,
  readApproval,
  readDashboard,
  readLogHead,
  readProfile,
  readUser,
  rejectApproval,
  searchConsole,
  startStepUp,
  takeClaim,
  takeOverClaim,
  unmaskField,
  withdrawApproval,
} from '@sathorn/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_CUSTOMER } from '../../demo/demo/index.ts';
import { runAsOwner } from '../../platform/database/testing.ts';
import { insertConfirmedStepUp, proposed, signInDemoOperator } from '../../whole/testing-operators.ts';
import { openTestPlatform, type TestForm, type TestPlatform } from '../../whole/testing-platform.ts';

/** The fields of several calls' answers; each test reads its own. */
interface Wire {
  readonly items: { n: string; username: string; what: string; on: { id: string }; who: { work_name: string } }[];
  readonly balances: { asset: string }[];
  readonly next: string | null;
  readonly total: number;
  readonly custody: { asset: string }[];
  readonly exposure: unknown[];
  readonly queues: unknown[];
  readonly funds: unknown[];
  readonly times: unknown;
  readonly indexes: { used: number; sources: number }[];
  readonly health: unknown[];
  readonly freezes: { id: string }[];
  readonly approval: string;
  readonly fingerprint: string;
  readonly step_up: string;
  readonly n: string;
}

const DAY_MS = 24 * 60 * 60_000;
const later = (ms: number): string => new Date(Date.now() + ms).toISOString();

describe('the console', () => {
  let platform: TestPlatform;
  let [customer, nicha] = ['', ''];
  const tokens: Record<string, string> = {};
  const ask = (who: string, call: { method: string; path: string }, fields: TestForm = {}) =>
    proposed(platform, `${call.method} ${call.path}`, fields, {
      token: tokens[who] ?? '',
      'idempotency-key': randomUUID(),
    });
  const read = async (who: string, call: { method: string; path: string }, fields: TestForm = {}) => {
    const answer = await ask(who, call, fields);
    if (answer.ret !== 1) throw new Error(`${call.path}: ${answer.msg} ${JSON.stringify(answer.data)}`);
    return answer.data as unknown as Wire;
  };
  const freeze = async (who: string, over: TestForm = {}) => {
    const { fingerprint } = await read(who, readProfile, { id: nicha });
    const fields = {
      id: nicha,
      scopes: 'sign_in,trading',
      reason: 'takeover_suspected',
      until: later(DAY_MS / 2),
      fingerprint,
    };
    const step_up = await insertConfirmedStepUp(platform, tokens[who] ?? '', {
      op: 'customer.freeze',
      id: nicha,
      fingerprint,
    });
    return ask(who, freezeCustomer, { ...fields, step_up, ...over });
  };

  beforeAll(async () => {
    platform = await openTestPlatform({ ROLES: 'edge,index' });
    customer = await platform.signIn(DEMO_CUSTOMER);
    nicha = String((await platform.send(readUser, {}, { token: customer })).answer.data.id);
    for (const name of ['mai', 'ploy', 'tan', 'korn', 'bua', 'arun'])
      tokens[name] = (await signInDemoOperator(platform, name)).token;
  });
  afterAll(async () => {
    await platform.close();
    expect(platform.faults).toEqual([]);
  });

  it('pages through the customers that a search finds, each once, and counts them', async () => {
    await runAsOwner(
      platform.test.owner,
      `INSERT INTO customers.customer (id, username, username_key, email, email_since, nickname, currency, language, invite_code, created_at)
         SELECT 2000000000 + n, 'crowd' || n, 'crowd' || n, 'crowd' || n || '@demo.example', now(), 'Crowd', 'USDT', 'en', 'CROWD' || lpad(n::text, 3, '0'),
           now() - make_interval(secs => n / 3) FROM generate_series(1, 65) n`,
    );
    const seen: string[] = [];
    let page: string | null = null;
    do {
      const answer: Wire = await read('mai', findCustomers, { q: 'crowd', ...(page !== null && { page }) });
      expect(answer.total).toBe(65);
      seen.push(...answer.items.map(({ username }) => username));
      page = answer.next;
    } while (page !== null && seen.length < 100);
    expect(seen).toHaveLength(65);
    expect(new Set(seen).size).toBe(65);
    expect((await read('mai', findCustomers, { q: 'crowd12' })).total).toBe(1);
    expect((await read('mai', findCustomers, { q: 'nobodyhere' })).total).toBe(0);
  });

  it('finds a customer by whole contact, id or the beginning of a name, and masks them', async () => {
    for (const q of [nicha, 'nicha', 'nic', 'nicha@demo.example']) {
      const { items } = await read('mai', findCustomers, { q });
      expect(
        items.map(({ username }) => username),
        q,
      ).toEqual(['nicha']);
      expect(JSON.stringify(items)).not.toContain('nicha@demo.example');
    }
    expect((await ask('mai', findCustomers, { q: 'ni' })).data.code).toBe('query_too_broad');
    expect((await read('mai', findCustomers, { q: '%%%' })).items).toEqual([]);
    expect((await ask('bua', findCustomers, { q: 'nicha' })).data.code).toBe('role_missing');
    const found = (await ask('mai', searchConsole, { q: 'nicha' })).data as unknown as { kind: string; id: string }[];
    expect(found).toEqual([{ kind: 'customer', id: nicha, title: 'nicha', status: null }]);
    expect((await ask('bua', searchConsole, { q: 'nicha' })).data).toEqual([]);
  });

  it('shows balances in bands to support, and exactly to finance', async () => {
    const bands = (await read('mai', readProfile, { id: nicha })).balances;
    expect(bands.find(({ asset }) => asset === 'USDT')).toEqual({
      asset: 'USDT',
      available: '< 100000',
      held: '0',
      is_band: true,
    });
    const exact = (await read('korn', readProfile, { id: nicha })).balances;
    expect(exact.find(({ asset }) => asset === 'USDT')).toMatchObject({ available: '10000.000000', is_band: false });
    const { items } = await read('korn', listCustomerLedger, { id: nicha, asset: 'USDT' });
    expect(items[0]).toMatchObject({ purpose: 'demo_money', amount: '10000.000000' });
    expect((await ask('mai', listCustomerLedger, { id: nicha, asset: 'USDT' })).data.code).toBe('role_missing');
  });

  it('shows orders and payees, masked and in bands as the role requires', async () => {
    const bought = async () =>
      (
        await platform.send(
          buyOption,
          { code: 'BTC', direction: 'up', quantity: '12.5', duration: '60' },
          { token: customer, 'idempotency-key': randomUUID() },
        )
      ).answer;
    await expect.poll(async () => (await bought()).ret).toBe(1);
    const exact = (await ask('korn', listCustomerOrders, { id: nicha, product: 'holding' })).data;
    expect(exact).toMatchObject({ items: [{ coin: 'BTC', side: 'up', size: { amount: '12.500000', asset: 'USDT' } }] });
    const bands = await ask('mai', listCustomerOrders, { id: nicha, product: 'holding' });
    expect(bands.data).toMatchObject({ items: [{ size: { amount: '< 100' }, is_band: true }] });
    expect(JSON.stringify(bands)).not.toContain('12.5');
    for (const product of ['options', 'contracts'])
      expect((await ask('arun', listCustomerOrders, { id: nicha, product })).data).toEqual({ items: [], next: null });

    const payees = (await ask('mai', listCustomerPayees, { id: nicha })).data as unknown as {
      id: string;
      kind: string;
      number: string;
    }[];
    for (const { number } of payees) expect(number).toMatch(/^(0x[0-9a-fA-F]{4}…[0-9a-fA-F]{4}|••[0-9]{4})$/);
    const [payee] = payees;
    if (payee) {
      const asked = { id: nicha, field: 'payee', payee: payee.id, reason: 'the bank asks' };
      const whole = String((await ask('korn', unmaskField, asked)).data.value);
      expect(whole.replace(/…|•/g, '')).toContain(payee.number.slice(-4));
      expect(whole).not.toContain('…');
    }
    const other = { id: nicha, field: 'payee', payee: randomUUID(), reason: 'x' };
    expect((await ask('korn', unmaskField, other)).data.code).toBe('payee_unknown');
    expect((await ask('korn', unmaskField, { ...other, field: 'phone' })).data.code).toBe('field_not_yours');
  });

  it('sends a notice under a work name, as text, within a budget', async () => {
    const text = 'Please look at <b>this</b> statement\u202e and answer.';
    expect((await ask('mai', messageCustomer, { id: nicha, text })).ret).toBe(1);
    const { answer } = await platform.send(listMessages, { status: 'all' }, { token: customer });
    const [notice] = (answer.data as unknown as { items: { title: string; content: string }[] }).items;
    expect(notice?.content).toContain('Please look at <b>this</b> statement and answer.');
    expect(notice?.content).toContain('mai');
    expect((await read('mai', listCustomerMessages, { id: nicha })).items[0]).toMatchObject({
      kind: 'from_staff',
      read_at: null,
    });
    for (const who of ['korn', 'bua'])
      expect((await ask(who, messageCustomer, { id: nicha, text })).data.code).toBe('role_missing');
    expect((await ask('mai', messageCustomer, { id: nicha, text: 'x'.repeat(501) })).ret).toBe(0);
    const lure = 'Please pay the tax first, then your account is released.';
    expect((await ask('mai', messageCustomer, { id: nicha, text: lure })).data.code).toBe('text_asks_for_payment');
    for (let n = 0; n < 19; n++) await read('mai', messageCustomer, { id: nicha, text: `again ${n}` });
    expect((await ask('mai', messageCustomer, { id: nicha, text })).data.code).toBe('hour_budget_spent');
    const { items } = await read('mai', listCustomerActions, { id: nicha });
    expect(items.filter(({ what }) => what === 'customer.messaged')).toHaveLength(20);
  });

  it('G7 unmasks with a reason, within the hour’s budget, also many at once', async () => {
    const fields = { id: nicha, field: 'email', reason: 'the customer wrote from another address' };
    const all = await Promise.all(Array.from({ length: 14 }, () => ask('mai', unmaskField, fields)));
    expect(all.filter(({ ret }) => ret === 1)).toHaveLength(10);
    expect(all.find(({ ret }) => ret === 1)?.data.value).toBe('nicha@demo.example');
    expect(all.find(({ ret }) => ret === 0)?.data.code).toBe('hour_budget_spent');
    expect((await ask('korn', unmaskField, fields)).data.code).toBe('field_not_yours');
  });

  it('freezes at once for a fixed time, with a confirmation of exactly this', async () => {
    expect((await freeze('mai', { until: later(2 * DAY_MS) })).data.code).toBe('until_too_far');
    expect((await freeze('mai', { reason: 'duplicate_person' })).data.code).toBe('reason_not_yours');
    expect((await freeze('mai', { step_up: '' })).data.code).toBe('step_up_required');
    expect((await freeze('mai', { step_up: randomUUID() })).data.code).toBe('step_up_expired');
    expect((await freeze('mai', { fingerprint: 'ab'.repeat(32) })).data.code).toBe('fingerprint_stale');
    expect((await freeze('korn')).data.code).toBe('role_missing');
    const frozen = await freeze('mai');
    expect(frozen).toMatchObject({ ret: 1, data: { is_frozen: true } });
    // The customer is signed out, and can neither sign in nor move money.
    expect((await platform.send(readUser, {}, { token: customer })).answer.ret).toBe(-1);
    const { username, password } = DEMO_CUSTOMER;
    const { answer } = await platform.send(loginCustomer, { username, password });
    expect(answer.data.code).toBe('account_frozen');
    expect((await freeze('mai')).data.code).toBe('already_frozen');
  });

  it('ends a freeze early only by two people', async () => {
    const { freezes } = await read('ploy', readProfile, { id: nicha });
    const [{ id: one } = { id: '' }] = freezes;
    const reason = 'the customer proved who they are';
    const asked = await read('ploy', liftFreeze, { id: nicha, freeze: one, reason });
    expect((await ask('ploy', liftFreeze, { id: nicha, freeze: one, reason })).data.code).toBe('already_waiting');
    const approval = await read('tan', readApproval, { id: asked.approval });
    const decide = async (who: string) => {
      const fields = { id: String(asked.approval), fingerprint: String(approval.fingerprint) };
      const step_up = await insertConfirmedStepUp(platform, tokens[who] ?? '', { op: 'approval.approve', ...fields });
      return ask(who, approveApproval, { ...fields, step_up });
    };
    expect((await decide('ploy')).data.code).toBe('maker_cannot_check');
    expect((await decide('korn')).data.code).toBe('role_missing');
    // The same approval is in one operator's list and not in the other's.
    expect((await read('tan', listApprovals)).items).toHaveLength(1);
    expect((await read('ploy', listApprovals)).items).toHaveLength(0);
    expect((await read('ploy', listApprovals, { status: 'made' })).items).toHaveLength(1);
    expect((await decide('tan')).ret).toBe(1);
    expect((await decide('arun')).data.code).toBe('already_decided');
    customer = await platform.signIn(DEMO_CUSTOMER);
    const gift = { asset: 'USDT', amount: '1' };
    expect((await platform.send(fundDemo, gift, { token: customer, 'idempotency-key': randomUUID() })).answer.ret).toBe(
      1,
    );
    await expect(
      platform.test.database.query({ name: '', text: 'UPDATE customers.freeze SET lifted_at = NULL' }),
    ).rejects.toThrow('permission denied');
  });

  it('stops withdrawals alone, if only these are frozen', async () => {
    expect((await freeze('ploy', { scopes: 'withdrawals' })).ret).toBe(1);
    const asked = { channel: 'testnet', target: 'x', amount: '10', paypass: DEMO_CUSTOMER.paypass };
    const { answer } = await platform.send('POST /users/extract', asked, { token: customer });
    expect(answer.data.code).toBe('account_frozen');
  });

  it('keeps trading frozen for a customer who may sign in again, and changes the end with a second person', async () => {
    expect((await freeze('ploy', { scopes: 'trading', until: later(2 * DAY_MS) })).ret).toBe(1);
    const gift = { asset: 'USDT', amount: '1' };
    const bought = await platform.send(
      'POST /coin/order/add',
      { code: 'BTC', direction: 'up', quantity: '10', duration: '30' },
      { token: customer },
    );
    expect(bought.answer.data.code).toBe('account_frozen');
    expect((await platform.send(fundDemo, gift, { token: customer, 'idempotency-key': randomUUID() })).answer.ret).toBe(
      1,
    );
    const { freezes } = await read('ploy', readProfile, { id: nicha });
    const [{ id: one } = { id: '' }] = freezes;
    const fields = { id: nicha, freeze: one, reason: 'the police asked for more time' };
    expect((await ask('ploy', extendFreeze, { ...fields, until: later(60 * DAY_MS) })).data.code).toBe('until_too_far');
    const until = later(5 * DAY_MS);
    const { approval } = await read('ploy', extendFreeze, { ...fields, until });
    const { fingerprint } = await read('tan', readApproval, { id: approval });
    const rejecting = { op: 'approval.reject', id: approval, fingerprint };
    const step_up = await insertConfirmedStepUp(platform, tokens.tan ?? '', rejecting);
    const rejected = await ask('tan', rejectApproval, {
      id: approval,
      fingerprint,
      step_up,
      reason: 'no order of a court',
    });
    expect(rejected).toMatchObject({ ret: 1, data: { status: 'rejected' } });
    const again = await read('ploy', extendFreeze, { ...fields, until });
    expect((await ask('tan', withdrawApproval, { id: again.approval })).data.code).toBe('approval_unknown');
    expect((await ask('ploy', withdrawApproval, { id: again.approval })).ret).toBe(1);
  });

  it('shows the customer who did what, and why', async () => {
    const { items } = (await platform.send(listStaffActions, {}, { token: customer })).answer.data as {
      items: { what: string; by: string; reason: string; until: string }[];
    };
    const words = items.map(({ what }) => what);
    for (const what of [
      'customer.opened',
      'customer.unmasked',
      'customer.frozen',
      'freeze_lift.asked',
      'approval.approved',
    ])
      expect(words).toContain(what);
    const frozen = items.findLast(({ what }) => what === 'customer.frozen');
    expect(frozen).toMatchObject({ by: 'mai', reason: 'takeover_suspected', until: expect.stringContaining('T') });
    expect(JSON.stringify(items)).not.toContain('another address');
    const { items: seen } = await read('ploy', listCustomerActions, { id: nicha });
    expect(seen.length).toBe(items.length);
  });

  it('ends sessions, and distributes work by claims', async () => {
    expect(await read('arun', endCustomerSessions, { id: nicha })).toEqual({ ended: 1 });
    expect((await platform.send(readUser, {}, { token: customer })).answer.ret).toBe(-1);
    const claim = { kind: 'certification', id: 'C-1' };
    const both = await Promise.all(['ploy', 'tan'].map((who) => ask(who, takeClaim, claim)));
    expect(both.map(({ ret }) => ret).sort()).toEqual([0, 1]);
    expect(both.find(({ ret }) => ret === 0)?.data.code).toBe('taken_by_other');
    for (const who of ['ploy', 'tan']) await ask(who, takeOverClaim, { ...claim, reason: 'they went home' });
    expect((await ask('ploy', takeClaim, claim)).msg).toContain('tan');
  });

  it('shows each role its part of the dashboard and of the log', async () => {
    let all = await read('korn', readDashboard);
    const late = () => all.indexes.filter(({ used, sources }) => used !== sources).length;
    const onTime = ['settler', 'signer', 'accrual'].map((name) => ({ name, state: 'on_time', is_good: true, late: 0 }));
    // A busy machine may drop sources for a moment, and its rounds are late.
    await expect
      .poll(async () => {
        all = await read('korn', readDashboard);
        return { late: late(), health: all.health };
      })
      .toEqual({ late: 0, health: expect.arrayContaining(onTime) });
    const usdt = all.custody.find(({ asset }) => asset === 'USDT');
    expect(usdt).toMatchObject({ customers: '10002.000000' });
    expect(all.exposure).toHaveLength(8);
    const empty = { waiting: 0, overdue: 0, oldest_at: null, due_at: null };
    expect(all.queues).toEqual(
      ['approval', 'withdrawal', 'deposit', 'dispute', 'correction'].map((kind) => ({ kind, ...empty })),
    );
    expect(all.funds).toEqual([
      { name: 'yield', promised: '0.000000', funded: '500000.000000' },
      { name: 'rewards', promised: expect.any(String), funded: '5000.000000' },
    ]);
    expect(all.times).toMatchObject({ promised_minutes: 120, automatic: 0, checked: 0, hours: [] });
    expect(all.indexes).toHaveLength(8);
    const { queues, ...support } = await read('mai', readDashboard);
    expect(support).toMatchObject({ custody: null, exposure: null, funds: null, times: null, events: [] });
    expect(queues).toEqual(
      ['withdrawal', 'deposit', 'certification', 'dispute', 'support'].map((kind) => ({ kind, ...empty })),
    );
    const mine = (await read('mai', listEntries)).items;
    expect(new Set(mine.map(({ who }) => who.work_name))).toEqual(new Set(['mai']));
    const { n } = await read('arun', readLogHead);
    const chain = await read('arun', listEntries, { since: '0' });
    expect(String(chain.items.at(-1)?.n)).toBe(n);
    const refused = chain.items;
    expect(refused.filter(({ what }) => what === 'call.refused').map(({ on }) => on.id)).toContain(
      'GET /admin/customers/ledger',
    );
  });

  it('confirms by a code that works once, for two minutes, and only in the session that requested it', async () => {
    const of = { op: 'customer.freeze', id: nicha, fingerprint: 'cd'.repeat(32) };
    const { step_up } = await read('bua', startStepUp, of);
    expect((await ask('bua', confirmStepUp, { step_up, code: '000000' })).data.code).toBe('step_up_wrong');
    expect((await ask('arun', confirmStepUp, { step_up, code: '000000' })).data.code).toBe('step_up_expired');
    const { answer } = await platform.send('GET /demo/operators');
    const people = answer.data as unknown as { work_name: string; code: string }[];
    const code = people.find(({ work_name }) => work_name === 'bua')?.code ?? '';
    expect((await ask('bua', confirmStepUp, { step_up, code })).ret).toBe(1);
    expect((await ask('bua', confirmStepUp, { step_up, code })).data.code).toBe('step_up_expired');
  });
});
