import { addPayee, certifyCustomer, listPayees, quotePayeeRemoval, removePayee, renamePayee } from '@sathorn/api';
import { payeeRefusal } from '@sathorn/settlement';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestIdentity, type TestIdentity } from '../../people/testing-identity.ts';
import { runAsOwner } from '../../platform/database/testing.ts';

const OWN_DEPOSIT = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb';
const TOKEN = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB';
const ADDRESS = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const HOT = '0x27b1fdb04752bbc536007a920d24acb045561c26';
const WALLET = { type: 'wallet', name: 'Mum', coin: 'USDT', chain: 'ethereum', address: ADDRESS };
const CARD = {
  type: 'card',
  real_name: 'Nicha Phromsiri',
  ifsc: '0123',
  bank: 'KBANK',
  number: '012-3-45678-9',
  phone: '0812345678',
  email: 'nicha@example.org',
};
const DAY_MS = 24 * 3_600_000;

let room: TestIdentity;
let mali: Awaited<ReturnType<TestIdentity['signUp']>>;
beforeAll(async () => {
  room = await openTestIdentity({
    refusalOfAddress: async (customer, _chain, address) =>
      payeeRefusal({
        customer,
        owner: address === OWN_DEPOSIT ? customer : null,
        isHouse: address === HOT,
        isContract: address === TOKEN,
      }),
  });
});
afterAll(() => room.close());
beforeEach(async () => {
  room.clock.advance(2 * DAY_MS);
  mali = await room.signUp();
});

const add = (fields: Record<string, string>, who = mali) =>
  room.call(addPayee, { paypass: who.paypass, ...fields }, { token: who.token });
const remove = (id: string, paypass = mali.paypass) => room.call(removePayee, { id, paypass }, { token: mali.token });
const list = async (who = mali) => (await room.call(listPayees, {}, { token: who.token })).data;
/** Applies as the customer and verifies as an operator. */
async function certify(name: string): Promise<void> {
  const typed = {
    level: 'primary',
    type: 'passport',
    name,
    number: `AA${mali.id}`.slice(0, 9),
    birth_date: '1990-01-31',
  };
  await room.call(certifyCustomer, typed, { token: mali.token });
  const { reviews } = room.certifications;
  const [waiting] = await reviews.list({ level: null, isWaiting: true, after: null, limit: 1 });
  const operator = { id: 7n, workName: 'mai', sessionId: 's' };
  await reviews.approve(operator, { id: waiting?.id ?? '', version: 0, isMasked: false }, room.clock.now());
}
/** A different address for each n. */
const address = (n: number): string => `0x${1000 + n}${'ab'.repeat(18)}`;

describe('a wallet', () => {
  it('is stored with the capitals of its checksum, and is usable a day later', async () => {
    const { data } = await add({ ...WALLET, address: ADDRESS.toLowerCase() });
    const now = room.clock.now();
    expect(data.wallet).toEqual({
      id: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
      name: 'Mum',
      coin: 'USDT',
      chain: 'ethereum',
      chain_name: 'Ethereum',
      address: ADDRESS,
      added_at: now.toISOString(),
      usable_from: new Date(now.getTime() + DAY_MS).toISOString(),
    });
    expect((await list()).wallets).toEqual([data.wallet]);
    const [notice] = (await room.messages.list(mali.id, 'all', undefined, { language: 'en' })).items;
    expect(notice?.content).toContain('Mum');
  });

  it.each([
    ['malformed_request', ['address'], { ...WALLET, address: '' }],
    ['malformed_request', ['name'], { ...WALLET, name: '\u202e' }],
    ['malformed_request', ['paypass'], { ...WALLET, paypass: '12345' }],
    ['asset_not_withdrawable', ['coin'], { ...WALLET, coin: 'BTC' }],
    ['chain_unknown', ['chain'], { ...WALLET, chain: 'tron' }],
    ['address_malformed', ['address'], { ...WALLET, address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' }],
    ['address_checksum', ['address'], { ...WALLET, address: ADDRESS.replace('d359', 'D359') }],
    ['address_reserved', ['address'], { ...WALLET, address: `0x${'0'.repeat(40)}` }],
    ['address_own_deposit', ['address'], { ...WALLET, address: OWN_DEPOSIT }],
    ['address_contract', ['address'], { ...WALLET, address: TOKEN.toLowerCase() }],
    ['address_of_house', ['address'], { ...WALLET, address: HOT.toLowerCase() }],
    ['paypass_wrong', ['paypass'], { ...WALLET, paypass: '284917' }],
  ])('%s', async (refusal, fields, request) => {
    expect(await add(request)).toMatchObject({ ret: 0, refusal, fields });
    expect((await list()).wallets).toEqual([]);
  });

  it('is refused for its faults before the payment password is checked', async () => {
    for (let n = 0; n < 6; n += 1)
      expect((await add({ ...WALLET, address: TOKEN, paypass: '284917' })).refusal).toBe('address_contract');
    expect((await add(WALLET)).refusal).toBeNull();
  });

  it('D12 that resembles a saved one is accepted only with an explicit confirmation', async () => {
    await add(WALLET);
    const twin = { ...WALLET, name: 'Twin', address: `0xfb69${'1'.repeat(32)}d359` };
    expect(await add(twin)).toMatchObject({ refusal: 'address_looks_alike', params: { name: 'Mum' } });
    expect((await add({ ...twin, sure: 'true' })).refusal).toBeNull();
  });

  it('is not saved twice, in any letter case, and can be added again after its removal, with a new delay', async () => {
    const { data } = await add(WALLET);
    expect((await add({ ...WALLET, address: ADDRESS.toLowerCase() })).refusal).toBe('payee_exists');
    await remove(data.wallet?.id ?? '');
    room.clock.advance(DAY_MS);
    const again = (await add(WALLET)).data.wallet;
    expect(again?.usable_from).toBe(new Date(room.clock.now().getTime() + DAY_MS).toISOString());
  });

  it('the 21st is refused, also of many at once', async () => {
    const addNth = (n: number) => add({ ...WALLET, name: `w${n}`, address: address(n) });
    for (let n = 0; n < 18; n += 1) expect((await addNth(n)).refusal).toBeNull();
    const answers = await Promise.all([18, 19, 20, 21].map(addNth));
    expect(answers.map(({ refusal }) => refusal).sort()).toEqual(
      [null, null, 'too_many_payees', 'too_many_payees'].sort(),
    );
    expect((await list()).wallets).toHaveLength(20);
  });
});

describe('a bank card', () => {
  it('is shown masked, and is not stored as text in the database', async () => {
    const { data } = await add(CARD);
    expect(data.card).toMatchObject({
      name: 'KBANK',
      bank: 'KBANK',
      bank_name: 'Kasikornbank',
      number: '•••• 6789',
      phone: '••• 5678',
      email: 'n•••@example.org',
      is_certified_name: null,
    });
    const rows = await room.sql<object>('SELECT encode(sealed, $1) AS sealed, name FROM payees.payee', ['escape']);
    expect(JSON.stringify(rows)).not.toMatch(/0123456789|Phromsiri|nicha@/);
  });

  it.each([
    ['malformed_request', ['phone'], { ...CARD, phone: '' }],
    ['bank_unknown', ['bank'], { ...CARD, bank: 'HSBC' }],
    ['account_number_malformed', ['number'], { ...CARD, number: '012345678' }],
    ['account_number_malformed', ['number'], { ...CARD, bank: 'GSB' }],
    ['branch_malformed', ['ifsc'], { ...CARD, ifsc: '12' }],
    ['real_name_malformed', ['real_name'], { ...CARD, real_name: '12345' }],
  ])('%s', async (refusal, fields, request) => {
    expect(await add(request)).toMatchObject({ ret: 0, refusal, fields });
  });

  it('S5.8 names every field that is missing', async () => {
    expect([...(await add({ type: 'card' })).fields].sort()).toEqual(
      ['bank', 'email', 'ifsc', 'number', 'phone', 'real_name'].sort(),
    );
  });

  it.each([
    { number: '\u202a๐๑๒-๓-๔๕๖๗๘-๙\u202c', ifsc: ' ๐๑๒๓' },
    { phone: '\u200e081.234.5678', email: 'Mali＠ตัวอย่าง.ไทย', real_name: ' Nicha\u00a0Phromsiri\u200d' },
  ])('accepts what clipboards and keyboards add: %j', async (typed) => {
    expect(await add({ ...CARD, ...typed })).toMatchObject({ refusal: null });
  });

  it('must be in the certified name', async () => {
    await certify('Nicha Phromsiri');
    expect(await add({ ...CARD, real_name: 'Anan Chai' })).toMatchObject({
      refusal: 'real_name_differs',
      fields: ['real_name'],
    });
    expect((await add({ ...CARD, real_name: 'MS. NICHA  PHROMSIRI' })).data.card?.is_certified_name).toBe(true);
  });

  it.each([
    ['Mrinal Kulkarni', 'MRS MRINAL KULKARNI', null],
    ['Idula Sharma', 'Mridula Sharma', 'real_name_differs'],
    ['นางสาวนิชา พรมศิริ', 'น.ส.นิชา พรมศิริ', null],
    ['श्री\u200dकांत राव', 'श्रीकांत राव', null],
    ['Ravi A/L Kumar', 'RAVI A/L KUMAR', null],
  ])('certified as %s, an account of %s: %s', async (certified, realName, refusal) => {
    await certify(certified);
    expect((await add({ ...CARD, real_name: realName })).refusal).toBe(refusal);
  });

  it('the fourth is refused', async () => {
    for (const number of ['0123456781', '0123456782', '0123456783']) await add({ ...CARD, number });
    expect(await add(CARD)).toMatchObject({ refusal: 'too_many_payees', params: { count: '3' } });
  });
});

describe('a wallet that was saved before commitments existed', () => {
  it('gets its commitment once, and the application can’t change it', async () => {
    const id = (await add(WALLET)).data.wallet?.id ?? '';
    const { database, owner } = room.test;
    const committed = async (): Promise<Buffer | null | undefined> =>
      (
        await database.query<{ commitment: Buffer | null }>(
          { name: '', text: 'SELECT commitment FROM payees.payee WHERE id = $1' },
          [id],
        )
      )[0]?.commitment;
    const first = await committed();
    expect(first).toHaveLength(32);
    await runAsOwner(owner, `UPDATE payees.payee SET commitment = NULL WHERE id = '${id}'`);
    expect(await room.payees.snapshotFor(database, mali.id, id)).toMatchObject({ id });
    expect(await committed()).toEqual(first);
    await database.query({ name: '', text: 'SELECT payees.commit_address($1, $2)' }, [id, Buffer.alloc(32)]);
    expect(await committed()).toEqual(first);
    const set = (what: string) =>
      database.query({ name: '', text: `UPDATE payees.payee SET ${what} WHERE id = $1` }, [id]);
    for (const what of ['commitment = NULL', "stored_at = now() - interval '2 days'", 'owner = owner + 1'])
      await expect(set(what)).rejects.toThrow(/permission/);
    expect((await remove(id)).refusal).toBeNull();
    await expect(set('removed_at = NULL')).rejects.toThrow(/stays removed/);
  });
});

describe('a saved payee', () => {
  it('can be renamed and removed by its owner, and by nobody else', async () => {
    const id = (await add(WALLET)).data.wallet?.id ?? '';
    const anan = await room.signUp();
    const call = { id, paypass: anan.paypass };
    expect((await room.call(removePayee, call, { token: anan.token })).refusal).toBe('payee_unknown');
    expect((await room.call(quotePayeeRemoval, { id }, { token: anan.token })).refusal).toBe('payee_unknown');
    expect((await room.call(renamePayee, { id, name: 'x' }, { token: anan.token })).refusal).toBe('payee_unknown');
    await room.call(renamePayee, { id, name: 'Mother' }, { token: mali.token });
    expect((await list()).wallets).toMatchObject([{ id, name: 'Mother' }]);
    expect((await remove(id)).refusal).toBeNull();
    expect((await remove(id)).refusal).toBe('payee_unknown');
    expect((await list()).wallets).toEqual([]);
  });

  it('is removed with the payment password only, which a stolen session does not have', async () => {
    const id = (await add(WALLET)).data.wallet?.id ?? '';
    expect((await room.call(removePayee, { id } as never, { token: mali.token })).fields).toEqual(['paypass']);
    const wrong = await remove(id, '284917');
    expect([wrong.refusal, wrong.fields]).toEqual(['paypass_wrong', ['paypass']]);
    for (let n = 0; n < 4; n += 1) await remove(id, '284917');
    expect((await remove(id)).refusal).toBe('paypass_locked');
    expect((await list()).wallets).toMatchObject([{ id }]);
  });

  it('the specification’s GET shows what would be removed and removes nothing', async () => {
    const id = (await add(WALLET)).data.wallet?.id ?? '';
    const { data } = await room.call(quotePayeeRemoval, { id }, { token: mali.token });
    expect(data).toEqual({ id, kind: 'wallet', name: 'Mum' });
    expect((await list()).wallets).toHaveLength(1);
  });

  it('F8: is not removed by a link, a picture or a prefetch', async () => {
    const id = (await add(WALLET)).data.wallet?.id ?? '';
    const { token } = mali;
    for (const headers of [
      {},
      { token, 'sec-purpose': 'prefetch' },
      { token, 'sec-fetch-site': 'cross-site' },
      { cookie: `token=${token}` },
    ])
      await fetch(`${room.url}/api/users/bank/del?id=${id}`, { headers });
    expect((await list()).wallets).toHaveLength(1);
  });

  it('that was backdated or assigned to somebody else in the database cannot be decrypted', async () => {
    const id = (await add(WALLET)).data.wallet?.id ?? '';
    const snapshot = () => room.payees.snapshotFor(room.test.database, mali.id, id);
    expect(await snapshot()).toMatchObject({ kind: 'wallet', address: ADDRESS, name: 'Mum' });
    const other = (await add({ ...WALLET, name: 'Dad', address: address(7) })).data.wallet;
    await room.sql(`UPDATE payees.payee SET added_at = added_at - interval '1 day' WHERE id = $1`, [id]);
    await expect(snapshot()).rejects.toThrow();
    // The customer still sees the others.
    expect((await list()).wallets).toEqual([other]);
    expect(room.faults.splice(0)).toHaveLength(1);
    // Others can be added, in a place of their own, but not the same address again.
    expect((await add({ ...WALLET, name: 'Nok', address: address(8) })).ret).toBe(1);
    expect(await add(WALLET)).toMatchObject({ ret: 0, refusal: 'payee_exists' });
    room.faults.splice(0);
    await room.sql(`DELETE FROM payees.payee WHERE id = $1`, [id]);
  });

  it('keeps its address: the application’s role may not change it', async () => {
    const id = (await add(WALLET)).data.wallet?.id ?? '';
    const change = (set: string) =>
      room.test.database.query({ name: `change ${set}`, text: `UPDATE payees.payee SET ${set} WHERE id = '${id}'` });
    for (const set of ['sealed = sealed', 'added_at = added_at', 'owner = owner', 'digest = digest'])
      await expect(change(set)).rejects.toThrow('permission denied');
    await expect(
      room.test.database.query({ name: 'delete payee', text: `DELETE FROM payees.payee WHERE id = '${id}'` }),
    ).rejects.toThrow('permission denied');
  });
});
