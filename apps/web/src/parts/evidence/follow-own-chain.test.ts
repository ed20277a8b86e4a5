import { expect, it } from 'vitest';
import { followOwnChain, type OwnChain } from './follow-own-chain.ts';
import { creditsOf, testServer } from './testing-own-chain.ts';

const spot = (entries: ReturnType<typeof creditsOf>) => [{ name: 'spot', asset: 'USDT', entries }];
const AT = 1_767_300_000_000;

async function walkedTo(count: number, budget?: number, kept?: OwnChain): Promise<OwnChain> {
  const { statement, door } = testServer(spot(creditsOf(count)), AT + count);
  const { chain, finding } = await followOwnChain(kept, statement, door, budget);
  expect(finding).toBeNull();
  if (chain === null) throw new Error('nothing kept');
  return chain;
}

it('walks from the first entry to the heads, and later only over the entries since', async () => {
  const first = await walkedTo(250);
  expect(first).toMatchObject({ isWhole: true, walked: [{ name: 'spot', n: '250', total: '250000000' }] });
  const { statement, door, asked } = testServer(spot(creditsOf(260)), AT + 260);
  expect((await followOwnChain(first, statement, door)).chain).toMatchObject({ isWhole: true, walked: [{ n: '260' }] });
  expect(asked()).toBe(1);
});

it('goes on at the next visit where a long history was left, to the kept heads first', async () => {
  const first = await walkedTo(300, 120);
  expect(first).toMatchObject({ isWhole: false, walked: [{ n: '120' }] });
  const second = await walkedTo(400, 120, first);
  // Still on the way to what was signed at the first visit.
  expect(second).toMatchObject({ isWhole: false, statement: first.statement, walked: [{ n: '240' }] });
  expect(await walkedTo(400, 200, second)).toMatchObject({ isWhole: true, walked: [{ n: '400' }] });
});

it('survives a store that keeps JSON', async () => {
  const kept: OwnChain = JSON.parse(JSON.stringify(await walkedTo(10)));
  expect(await walkedTo(20, undefined, kept)).toMatchObject({ isWhole: true, walked: [{ n: '20' }] });
});

it('finds a smaller old credit with all totals after it, signed by the same key', async () => {
  const kept = await walkedTo(10);
  const shifted = creditsOf(10, (entry) => ({
    ...entry,
    ...(entry.n === '3' && { amount: '900000' }),
    total: Number(entry.n) < 3 ? entry.total : String(BigInt(entry.total) - 100_000n),
  }));
  const same = testServer(spot(shifted), AT + 11);
  expect((await followOwnChain(kept, same.statement, same.door)).finding).toMatchObject({
    kind: 'statement',
    fault: 'rewritten',
    name: 'spot',
    n: '10',
    kept: kept.statement,
    shown: same.statement,
  });
  // With an entry more the numbers differ, and the way from the kept head leads elsewhere.
  const [more] = creditsOf(11).slice(-1);
  const longer = testServer(
    spot([...shifted, { ...(more as NonNullable<typeof more>), total: String(10_900_000n) }]),
    AT + 12,
  );
  expect((await followOwnChain(kept, longer.statement, longer.door)).finding).toMatchObject({
    fault: 'entries',
    detail: 'head_differs',
    n: '10',
  });
});

it('finds newest entries that are gone, and does not mind an older text', async () => {
  const kept = await walkedTo(10);
  const shorter = testServer(spot(creditsOf(9)), AT + 11);
  expect((await followOwnChain(kept, shorter.statement, shorter.door)).finding).toMatchObject({
    fault: 'rolled_back',
    n: '10',
  });
  const older = testServer(spot(creditsOf(9)), AT + 9);
  expect(await followOwnChain(kept, older.statement, older.door)).toEqual({ chain: null, finding: null });
});

it('finds entries that do not lead to what was signed', async () => {
  const { statement } = testServer(spot(creditsOf(10)), AT);
  const withoutOne = testServer(spot(creditsOf(10).toSpliced(4, 1)), AT).door;
  expect((await followOwnChain(undefined, statement, withoutOne)).finding).toMatchObject({
    fault: 'entries',
    detail: 'entry_missing',
    n: '5',
  });
  const another = testServer(spot(creditsOf(10, (entry) => ({ ...entry, purpose: 'demo_money' }))), AT).door;
  expect((await followOwnChain(undefined, statement, another)).finding).toMatchObject({ detail: 'head_differs' });
  const cut = testServer(spot(creditsOf(9)), AT).door;
  expect((await followOwnChain(undefined, statement, cut)).finding).toMatchObject({ detail: 'entry_missing', n: '10' });
});

it('compares heads under another seal too, and refuses a signature that is not right', async () => {
  const kept = await walkedTo(10);
  const rigged = creditsOf(10, (entry) => ({ ...entry, purpose: 'demo_money' }));
  const hidden = testServer(spot(rigged), AT + 11, { salt: 'b2', customer: '17' });
  expect((await followOwnChain(kept, hidden.statement, hidden.door)).finding).toMatchObject({ fault: 'rewritten' });
  const { statement, door } = testServer(spot(creditsOf(10)), AT + 11);
  const forged = { ...statement, signed: { ...statement.signed, signature: '0'.repeat(128) } };
  expect((await followOwnChain(kept, forged, door)).finding).toMatchObject({
    fault: 'signature',
    detail: 'signature_wrong',
  });
});

it('keeps what it walked when the server stops answering', async () => {
  const { statement, door } = testServer(spot(creditsOf(250)), AT);
  let answers = 0;
  const silent = {
    ...door,
    readEntries: (...asked: Parameters<typeof door.readEntries>) => {
      answers += 1;
      return answers > 1 ? Promise.resolve(null) : door.readEntries(...asked);
    },
  };
  expect(await followOwnChain(undefined, statement, silent)).toMatchObject({
    finding: null,
    chain: { isWhole: false, walked: [{ n: '100' }] },
  });
});
