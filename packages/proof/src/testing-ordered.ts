import { p256 } from '@noble/curves/nist.js';
import { sha256, toHex } from './hash.ts';
import { bytesOfOrdered, bytesToCommit, type Ordered, writeOrdered } from './ordered.ts';
import { type SignedOrdered, verifyOrdered } from './verify-ordered.ts';
import { voterIdOf } from './vote.ts';

const SECRETS = [7, 8].map((byte) => new Uint8Array(32).fill(byte));
const [KEY = '', OTHER = ''] = SECRETS.map((secret) => toHex(p256.getPublicKey(secret, false)));
const ORDER = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551';

const order: Ordered = {
  key: voterIdOf(KEY),
  call: 'POST /coin/order/add',
  intent: '0d1f5b3f-3a5e-4a41-9d7e-7c9f8ab02a10',
  fields: { code: 'BTC', direction: 'up', duration: '60', quantity: '10' },
  atMs: 1_764_000_000_000,
};
const payee = { type: 'wallet', name: 'แม่', coin: 'USDT', chain: 'ethereum', address: `0x${'ab'.repeat(20)}` };
const SALT = 'ab'.repeat(16);
const commitment = toHex(sha256(bytesToCommit(SALT, payee)));

/** Signed deterministically (RFC 6979), so that the vectors stay the same. */
function signBody(body: string, secret = SECRETS[0]): SignedOrdered {
  const signature = p256.sign(bytesOfOrdered(body), secret ?? new Uint8Array(), { lowS: false });
  return { body, signature: toHex(signature) };
}
const signOrder = (over: Partial<Ordered> = {}): SignedOrdered => signBody(writeOrdered({ ...order, ...over }));

function cases(): readonly [name: string, signed: SignedOrdered, publicKey?: string][] {
  const honest = signOrder();
  const [r, s] = [honest.signature.slice(0, 64), honest.signature.slice(64)];
  const other = (BigInt(`0x${ORDER}`) - BigInt(`0x${s}`)).toString(16).padStart(64, '0');
  return [
    ['signed', honest],
    ['with the other s, which ECDSA allows', { ...honest, signature: r + other }],
    ['with a commitment', signOrder({ call: 'POST /users/bank/add', fields: commitment })],
    ['with fields in Thai', signOrder({ fields: { name: 'แม่' } })],
    ['without fields', signOrder({ fields: {} })],
    ['by another key', signBody(honest.body, SECRETS[1])],
    ['under another key', honest, OTHER],
    ['under a compressed key', honest, toHex(p256.getPublicKey(SECRETS[0] ?? new Uint8Array(), true))],
    ['another stake', { ...honest, body: honest.body.replace('"10"', '"11"') }],
    ['r of nothing', { ...honest, signature: '0'.repeat(64) + s }],
    ['s of nothing', { ...honest, signature: r + '0'.repeat(64) }],
    ['r of the order', { ...honest, signature: ORDER + s }],
    ['s of the order', { ...honest, signature: r + ORDER }],
    ['capital digits', { ...honest, signature: honest.signature.toUpperCase() }],
    ['a short signature', { ...honest, signature: r }],
    ['another type', signBody(honest.body.replace('ordered/1', 'ordered/2'))],
    ['a member more', signBody(honest.body.replace('{', '{"a":"",'))],
    ['a blank', signBody(honest.body.replace(',', ', '))],
    ['a time of 16 digits', signOrder({ atMs: 1_000_000_000_000_000 })],
    ['no time', signOrder({ atMs: 0 })],
    ['a call that reads', signOrder({ call: 'GET /users/bank' })],
    ['a short intent', signOrder({ intent: '1234567' })],
    ['a commitment that is too short', signOrder({ fields: 'ab' })],
    ['a field that is a list', signOrder({ fields: { code: [] } as never })],
  ];
}

/** The published vectors; each verdict is that of this package. */
export async function orderedVectors() {
  const texts = await Promise.all(
    cases().map(async ([name, signed, publicKey = KEY]) => {
      const fault = await verifyOrdered(signed, publicKey);
      return { name, ...signed, public_key: publicKey, fault };
    }),
  );
  return { texts, commitments: [{ salt: SALT, fields: payee, commitment }] };
}
