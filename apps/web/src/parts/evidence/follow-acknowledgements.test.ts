import { ACKNOWLEDGED_ROUTES, type AcknowledgedThing, type SignedAcknowledgements } from '@sathorn/api';
import {
  accountSeal,
  buildTextTree,
  keyIdOf,
  type ProofKey,
  signText,
  verifyAcknowledgement,
  writeAcknowledgement,
} from '@sathorn/proof';
import { expect, it } from 'vitest';
import { followAcknowledgements } from './follow-acknowledgements.ts';
import { LASTING } from './hear-acknowledged.ts';
import type { KeptAcknowledgements } from './kept-acknowledgements.ts';

const SEED = new Uint8Array(32).fill(5);
/** Of the seed. */
const PUBLIC_KEY = '6e7a1cdd29b0b78fd13af4c5598feff4ef2a97166e3ca6f2e4fbfccd80505bf1';
const KEYS: readonly ProofKey[] = [{ use: 'receipt', id: keyIdOf(PUBLIC_KEY), public_key: PUBLIC_KEY }];
const ACCOUNT = { salt: 'a1', customer: '17' };

const door = {
  verify: (...[text, opening]: Parameters<Parameters<typeof followAcknowledgements>[2]['verify']>) =>
    verifyAcknowledgement(text, KEYS, opening),
  nowMs: () => 5,
};

const lockup = (facts: Record<string, string | null> = {}): AcknowledgedThing => ({
  about: 'lockup',
  id: 'L1',
  at: null,
  facts: { amount: '1000.000000', daily_rate: '0.00100000', ...facts },
});

function acknowledge(things: readonly AcknowledgedThing[], seed = SEED, customer = '17'): SignedAcknowledgements {
  const bodies = things.map(({ about, id, facts }) =>
    writeAcknowledgement({
      about,
      id,
      facts,
      account: accountSeal(ACCOUNT.salt, customer),
      atMs: 1_767_225_600_000,
      environment: 'demo',
    }),
  );
  const tree = buildTextTree('ack/1', bodies);
  const head = signText(tree.head, seed);
  const texts = bodies.map((_, index) => tree.prove(index, head));
  return { account: ACCOUNT, texts: texts.map((text) => ({ ...text, path: [...text.path] })) };
}

const follow = (
  before: KeptAcknowledgements,
  things: readonly AcknowledgedThing[],
  acknowledged = acknowledge(things),
) => followAcknowledgements(before, { things, acknowledged }, door);

it('keeps what is signed first, and finds nothing in the same facts later', async () => {
  const first = await follow({}, [lockup()]);
  expect(first.findings).toEqual([]);
  expect(Object.keys(first.kept)).toEqual(['lockup L1']);
  const again = await follow(first.kept, [lockup()]);
  expect(again).toEqual({ kept: first.kept, findings: [] });
  const compared = await followAcknowledgements(first.kept, { things: [lockup()], acknowledged: null }, door);
  expect(compared).toEqual({ kept: first.kept, findings: [] });
});

it('finds a yield that is halved afterwards, signed or not, and keeps the first text', async () => {
  const { kept } = await follow({}, [lockup()]);
  const halved = lockup({ daily_rate: '0.00050000' });
  for (const acknowledged of [acknowledge([halved]), null]) {
    const found = await followAcknowledgements(kept, { things: [halved], acknowledged }, door);
    expect(found.findings).toMatchObject([
      { kind: 'ack', id: 'lockup L1', fault: 'changed', differs: ['daily_rate'], kept: kept['lockup L1'] },
    ]);
    expect(found.findings[0]?.signed ?? null).toEqual(acknowledged?.texts[0] ?? null);
    expect(found.kept).toEqual(kept);
  }
});

it('finds an answer that says otherwise than what is signed beside it, and keeps nothing', async () => {
  const found = await follow({}, [lockup({ amount: '2000.000000' })], acknowledge([lockup()]));
  expect(found.findings).toMatchObject([{ fault: 'unlike', differs: ['amount'] }]);
  expect(found.kept).toEqual({});
});

it.each([
  ['a key that this device does not trust', acknowledge([lockup()], new Uint8Array(32).fill(6)), 'key_unknown'],
  ['another customer', acknowledge([lockup()], SEED, '18'), 'seal_differs'],
  [
    'a text that was changed',
    {
      ...acknowledge([lockup()]),
      texts: acknowledge([lockup()]).texts.map((text) => ({ ...text, body: text.body.replace('1000', '9000') })),
    },
    'hash_differs',
  ],
])('does not keep what is signed for %s', async (_, acknowledged, detail) => {
  const { kept, findings } = await follow({}, [lockup()], acknowledged);
  expect(findings).toMatchObject([{ kind: 'ack', fault: 'signature', detail }]);
  expect(kept).toEqual({});
});

it('loads for every route that has lasting facts', () => {
  for (const route of ACKNOWLEDGED_ROUTES) expect(route).toMatch(LASTING);
});
