import { type Acknowledged, writeAcknowledgement } from './acknowledgement.ts';
import { type Canonical, canonicalText, parseCanonical } from './canonical.ts';
import { accountSeal } from './option-terms.ts';
import { signText } from './signature.ts';
import { proveInTree, type TreeSignedText, writeTreeHead } from './terms-tree.ts';
import { FIRST_TICK_MS, TEST_ACCOUNT, TEST_KEY_SEEDS } from './testing-receipts.ts';

interface Choices {
  readonly atMs?: number;
  readonly customer?: string;
  readonly seed?: Uint8Array;
  /** How many other texts are in the same tree. */
  readonly beside?: number;
}

const inTree = (body: string, { seed = TEST_KEY_SEEDS.receipt, beside = 1 }: Choices = {}): TreeSignedText => {
  const bodies = [...Array.from({ length: beside }, (_, n) => canonicalText({ v: 'ack/1', n: String(n) })), body];
  return proveInTree('ack/1', bodies, beside, signText(writeTreeHead('ack/1', bodies), seed));
};

/** Acknowledges as a server does, by default to the test customer. */
export function signedAcknowledgement(thing: Acknowledged, choices: Choices = {}): TreeSignedText {
  const { atMs = FIRST_TICK_MS, customer = TEST_ACCOUNT.customer } = choices;
  const account = accountSeal(TEST_ACCOUNT.salt, customer);
  return inTree(writeAcknowledgement({ ...thing, account, atMs, environment: 'demo' }), choices);
}

/** Signed texts at the edges of the form. Those beyond an edge are texts of an unknown type. */
export function writtenOddly(): [string, TreeSignedText][] {
  const { body } = signedAcknowledgement({ about: 'order', id: '7', facts: { price: '1' } });
  const change = (members: Record<string, Canonical>): TreeSignedText =>
    inTree(canonicalText({ ...(parseCanonical(body) as object), ...members }));
  const facts = (count: number): Record<string, Canonical> =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`fact_${'abcdefghij'[n % 10]}${'_'.repeat(n / 10)}`, '1']),
    );
  const long = (count: number): Canonical => ({ text: '\u{1f642}'.repeat(count / 2) });
  return [
    ['an acknowledgement with forty facts', change({ facts: facts(40) })],
    ['an acknowledgement with a fact too many', change({ facts: facts(41) })],
    ['an acknowledgement without facts', change({ facts: {} })],
    ['an acknowledgement with a list of facts', change({ facts: ['1'] })],
    ['an acknowledgement with a list as a fact', change({ facts: { price: ['1'] } })],
    ['an acknowledgement with a long fact', change({ facts: long(2_000) })],
    ['an acknowledgement with a fact too long', change({ facts: long(2_002) })],
    ['an acknowledgement of a thing without a number', change({ id: '' })],
    ['an acknowledgement of a number with a space', change({ id: 'a b' })],
    ['an acknowledgement of a long number', change({ id: '7'.repeat(100) })],
    ['an acknowledgement of a number too long', change({ id: '7'.repeat(101) })],
    ['an acknowledgement of a kind in capitals', change({ about: 'Order' })],
    ['an acknowledgement with a fact in capitals', change({ facts: { Price: '1' } })],
    ['an acknowledgement without a time', change({ at: '0' })],
    ['an acknowledgement in an unknown place', change({ env: 'test' })],
    ['an acknowledgement to nobody', change({ acct: '' })],
    ['an acknowledgement with a member more', change({ note: '' })],
  ];
}
