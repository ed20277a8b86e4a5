import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { BoughtOption, OptionReceipt } from '@sathorn/api';
import { formatDecimal } from '@sathorn/money';
import { type ProofKey, type PurchaseTimes, readOptionTerms, readTick, type SignedText } from '@sathorn/proof';
import { describe, expect, it } from 'vitest';
import { isCleanPurchase, judgePurchase, type OrderedOption } from './judge-purchase.ts';
import { type DeviceMemory, judgeReceipt } from './judge-receipt.ts';

const VECTORS = path.join(import.meta.dirname, '../../../../../packages/proof/vectors');
const read = <T>(name: string): T => JSON.parse(readFileSync(path.join(VECTORS, name), 'utf8')) as T;
const { receipts } = read<{ receipts: { name: string; receipt: OptionReceipt; keys: ProofKey[] }[] }>('receipts.json');
const named = (name: string) => receipts.find((one) => one.name === name) as (typeof receipts)[number];
const { receipt, keys } = named('won');
const terms = readOptionTerms(receipt.terms.body);
if (terms?.arrival === undefined) throw new Error('the vectors are of opt/2');
const { acceptedMs, arrival } = terms;

const ordered: OrderedOption = {
  code: 'BTC',
  direction: 'up',
  quantity: '10',
  duration: '30',
  nonce: arrival.nonce,
  payout: '0.78',
  fee: '0.02',
};
const order = {
  id: terms.order,
  name: 'BTC',
  direction: 'up',
  quantity: formatDecimal(terms.stake, 6),
  duration: 30,
  payout: '0.78',
  fee_rate: '0.02',
  start_time: new Date(acceptedMs).toISOString(),
  sell_price: null,
  start_price: null,
  end_price: null,
  origin: 'sim',
} as BoughtOption;
const priceOf = (tick: SignedText | null): string => formatDecimal(readTick(tick?.body ?? '')?.price ?? 0n, 6);
const settled = {
  ...order,
  start_price: priceOf(receipt.ticks.start),
  end_price: priceOf(receipt.ticks.end),
  sell_price: formatDecimal(BigInt(receipt.result.credited), 6),
};
const times: PurchaseTimes = {
  sentMs: arrival.atMs - 20 - 7_000,
  answeredMs: arrival.atMs + 40 - 7_000,
  offsetMs: 7_000,
  newestTickMs: null,
};
const bought = { ...order, terms: receipt.terms };

describe('the answer to a purchase', () => {
  const judge = (part: Partial<OrderedOption> = {}, when: Partial<PurchaseTimes> = {}, rules: string | null = null) =>
    judgePurchase(bought, { ...ordered, ...part }, { ...times, ...when }, keys, rules);

  it('matches the order', async () => {
    const findings = await judge({}, {}, terms.rules);
    expect([findings, isCleanPurchase(findings)]).toEqual([
      { isWithoutTerms: false, signature: null, differs: [], moment: null },
      true,
    ]);
    // If the device does not know the server's time, the request's round trip limits the error.
    expect(isCleanPurchase(await judge({}, { offsetMs: null }))).toBe(true);
  });

  it.each<[string, Partial<OrderedOption>, string[]]>([
    ['another direction', { direction: 'down' }, ['direction']],
    ['another stake', { quantity: '11' }, ['stake']],
    ['a payout other than the confirmation said', { payout: '0.80' }, ['payout']],
    ['a fee other than the confirmation said', { fee: '0.01' }, ['fee']],
    ['a nonce that was not sent', { nonce: 'A'.repeat(32) }, ['nonce']],
    ['another duration', { duration: '60' }, ['duration']],
  ])('has %s', async (_, part, differs) => {
    expect((await judge(part)).differs).toEqual(differs);
  });

  it('detects rules that the customer has not read, missing terms, and an unknown signer', async () => {
    expect((await judge({}, {}, '0'.repeat(64))).differs).toEqual(['rules']);
    expect(await judgePurchase(order, ordered, times, keys, null)).toMatchObject({ isWithoutTerms: true });
    expect(await judgePurchase(bought, ordered, times, [], null)).toMatchObject({ signature: 'key_unknown' });
    expect(await judgePurchase(bought, ordered, times, null, null)).toMatchObject({ signature: null });
    const forged = { ...bought, terms: named('terms changed after signing').receipt.terms };
    expect(await judgePurchase(forged, { ...ordered, direction: 'down' }, times, keys, null)).toMatchObject({
      signature: 'hash_differs',
    });
  });

  it('detects an acceptance time that the device’s clock rules out', async () => {
    expect((await judge({}, { sentMs: times.sentMs + 2_000, answeredMs: times.answeredMs + 2_000 })).moment).toBe(
      'arrived_before_sent',
    );
    expect((await judge({}, { newestTickMs: acceptedMs - 999 })).moment).toBe('accepted_before_seen');
  });
});

describe('a receipt', () => {
  const chains = read<{ public_chains: { name: string; ticks: OptionReceipt['ticks']; texts: SignedText[] }[] }>(
    'memory.json',
  );
  const publicTicks = chains.public_chains[0]?.texts ?? [];
  const seen = publicTicks.map(({ body, hash }) => ({ sequence: readTick(body)?.sequence ?? 0n, hash }));
  const kept = { terms: receipt.terms, rulesHash: terms.rules, keptAt: 0, from: 'answer', findings: null } as const;
  const memory: DeviceMemory = {
    keys,
    rulesHash: terms.rules,
    newestTickMs: null,
    order,
    kept,
    seen,
    publicTicks,
  };
  const faultsOf = async (given: OptionReceipt, change: Partial<DeviceMemory> = {}) => {
    const { verified, checks } = await judgeReceipt(given, { ...memory, ...change });
    const faults = checks.flatMap(({ name, ok, fault }) => (ok ? [] : [[name, fault]]));
    expect(verified).toBe(faults.length === 0);
    return Object.fromEntries(faults) as Record<string, unknown>;
  };

  it('is confirmed by everything stored on this device', async () => {
    expect(await faultsOf(receipt)).toEqual({});
    const { checks } = await judgeReceipt(receipt, memory);
    expect(checks.map(({ name }) => name).slice(8)).toEqual(['terms_as_bought', 'ticks_as_seen', 'chain_public']);
  });

  it('with terms that were signed again is refused by the device that has the first ones', async () => {
    const turned = named('down, won').receipt;
    expect(await faultsOf(turned, { seen: [], publicTicks: null, order: null })).toEqual({
      terms_as_bought: { code: 'terms_differ', members: ['direction'] },
    });
  });

  it.each<[string, Partial<BoughtOption>, string[]]>([
    ['another end price', { end_price: '1.000001' }, ['end_price']],
    ['another start price', { start_price: '1' }, ['start_price']],
    ['less money', { sell_price: '10.000001' }, ['credited']],
  ])('contradicts a screen that shows %s', async (_what, shown, members) => {
    expect(await faultsOf(receipt, { order: settled })).toEqual({});
    expect(await faultsOf(receipt, { order: { ...settled, ...shown } })).toEqual({
      terms_as_bought: { code: 'order_differs', members },
    });
  });

  it('of another order than the one on the screen is refused by a device that stored nothing', async () => {
    const other = { ...order, id: 'another', quantity: '12' };
    expect(await faultsOf(receipt, { kept: null, order: other })).toEqual({
      terms_as_bought: { code: 'order_differs', members: ['order', 'stake'] },
    });
  });

  it('is refused if its ticks are of a chain that only this customer was shown', async () => {
    const bent = { ...receipt, ticks: chains.public_chains[1]?.ticks ?? receipt.ticks };
    const faults = await faultsOf(bent);
    expect(faults.ticks_as_seen).toMatchObject({ code: 'tick_unlike_seen' });
    expect(faults.chain_public).toEqual({ code: 'chain_differs' });
  });

  it('accepts a sealed chain, and rejects one without signatures', async () => {
    const bare = publicTicks.map((text) => ({ ...text, signature: '', key: '' }));
    const sealed = bare.with(-1, publicTicks.at(-1) as SignedText);
    expect(await faultsOf(receipt, { publicTicks: sealed })).toEqual({});
    expect(await faultsOf(receipt, { publicTicks: bare })).toEqual({ chain_public: { code: 'signature_missing' } });
  });

  it('is refused if its rules are not those that the customer has read', async () => {
    expect(await faultsOf(receipt, { rulesHash: '0'.repeat(64) })).toEqual({ terms_in_force: 'rules_differ' });
  });

  it('keeps the faults of the purchase, and reports that the chain could not be read', async () => {
    const findings = { isWithoutTerms: false, signature: null, differs: [], moment: 'accepted_too_late' } as const;
    const { verified, checks } = await judgeReceipt(receipt, {
      ...memory,
      kept: { ...kept, findings },
      publicTicks: null,
    });
    expect(verified).toBe(true);
    expect(checks.at(-1)).toMatchObject({ name: 'chain_public', isPending: true });
    expect(checks.find(({ name }) => name === 'terms_as_bought')).toMatchObject({ moment: 'accepted_too_late' });
  });
});
