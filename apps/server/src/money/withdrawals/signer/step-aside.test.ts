import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAsOwner } from '../../../platform/database/testing.ts';
import { hexQuantityOf, numberOfHex, transferCallData } from '../../chain/index.ts';
import { HOT_WALLET_ADDRESS, openWithdrawalsTest, usdt, type WithdrawalsTest } from '../testing-withdrawals.ts';

/** The address of the token's real code while the token is wrapped. */
const REAL = `0x${'be'.repeat(20)}`;
/** The amount of a withdrawal that arrives, after its fee. */
const netOf = (amount: number): bigint => usdt(amount) - usdt(1 + amount / 1_000);

/** Code that reverts a transfer of exactly these units, like a token that has blocked an address. */
function refusing(units: bigint): string {
  const word = units.toString(16).padStart(64, '0');
  const head = `3660006000376024357f${word}`;
  const tail = (refuseAt: number, returnAt: number): string =>
    `1461${refuseAt.toString(16).padStart(4, '0')}576000600036600073${REAL.slice(2)}5af43d600060003e` +
    `61${returnAt.toString(16).padStart(4, '0')}573d6000fd5b3d6000f35b60006000fd`;
  const size = (head + tail(0, 0)).length / 2;
  return `0x${head}${tail(size - 6, size - 11)}`;
}

describe('a payout that can’t be made', () => {
  let room: WithdrawalsTest;
  let code = '';
  let count = 0;
  beforeAll(async () => {
    room = await openWithdrawalsTest();
    code = await room.chain.rpc('eth_getCode', room.chain.config.token, 'latest');
    for (let customer = 411n; customer < 416n; customer += 1n) await room.fund(customer, 2_000);
  });
  afterAll(() => room.close());

  const ask = async (amount: number, customer = 415n): Promise<string> => {
    count += 1;
    const target = room.wallet(`0x${(count + 0xc000).toString(16).repeat(10)}`);
    const answer = await room.call('extract', customer, { channel: 'testnet', target, amount, paypass: '830274' });
    expect(answer).toMatchObject({ ok: true });
    return answer.effect.id;
  };
  const wrapToken = async (units: bigint | null): Promise<void> => {
    await room.chain.rpc('anvil_setCode', REAL, code);
    await room.chain.rpc('anvil_setCode', room.chain.config.token, units === null ? code : refusing(units));
  };
  /** Writes the decision of two people as the console would. */
  const agree = (id: string): Promise<void> =>
    runAsOwner(
      room.test.owner,
      `SET session_replication_role = replica;
       INSERT INTO operators.operator (id, work_name, roles) OVERRIDING SYSTEM VALUE VALUES (91, 'aa1', '{finance}'), (92, 'aa2', '{compliance}') ON CONFLICT DO NOTHING;
       WITH a AS (INSERT INTO operators.approval (id, kind, subject, content, fingerprint, need, roles, made_by, status, decided_at)
         VALUES (gen_random_uuid(), 'payout_return', '${id}', '{}', sha256('{}'), 1, '{finance,compliance}', 91, 'approved', now()) RETURNING id)
       INSERT INTO operators.vote (approval, operator, session, decision, fingerprint, role) SELECT id, 92, '${randomUUID()}', 'approve', sha256('{}'), 'compliance' FROM a`,
    );
  const giveBack = (id: string): Promise<unknown> =>
    room.test.database.query(
      {
        name: '',
        text: `SELECT withdrawals.advance($1, '{approved}', 'returned', 'not_payable', gen_random_uuid(), clock_timestamp())`,
      },
      [id],
    );

  it('fails in a block if the token refuses it after it was signed, and does not block the others', async () => {
    const [blocked, other] = [await ask(14), await ask(26)];
    const hasty = room.signer(undefined, 0);
    await room.signer().round();
    await wrapToken(netOf(14));
    await hasty.round();
    expect(await room.follow(415n, other)).toMatchObject({ step: 'done' });
    expect(await room.follow(415n, blocked)).toMatchObject({ step: 'returned', reason: 'chain_refused' });
    await wrapToken(null);
    expect(await room.violations()).toEqual([]);
  });

  it('steps aside if the wallet can’t pay it, and a smaller one behind it is paid', async () => {
    // Empties the wallet without changing its nonce.
    const nonce = numberOfHex(await room.chain.rpc('eth_getTransactionCount', HOT_WALLET_ADDRESS, 'latest'));
    await room.chain.rpc('anvil_impersonateAccount', HOT_WALLET_ADDRESS);
    const data = transferCallData(`0x${'99'.repeat(20)}`, (await room.paidTo(HOT_WALLET_ADDRESS)) - usdt(100));
    await room.chain.rpc('eth_sendTransaction', { from: HOT_WALLET_ADDRESS, to: room.chain.config.token, data });
    await room.chain.mine();
    await room.chain.rpc('anvil_setNonce', HOT_WALLET_ADDRESS, hexQuantityOf(nonce));
    const [large, small] = [await ask(400), await ask(30)];
    expect(await room.follow(415n, small)).toMatchObject({ step: 'done' });
    expect(room.waits).toEqual([{ id: large, waitsFor: 'wallet_short' }]);

    // Until it is signed, two people can return the money, but one alone cannot.
    await expect(giveBack(large)).rejects.toThrow('nobody decided to give');
    await agree(large);
    await giveBack(large);
    expect(await room.read(415n, large)).toMatchObject({ step: 'returned', reason: 'not_payable' });
    await room.signer().round();
    expect(room.waits).toEqual([]);
  });

  it('steps aside when the token refuses it, even a hundred of them, and the next one is paid', async () => {
    await wrapToken(netOf(12));
    const refused: string[] = [];
    for (let n = 0; n < 100; n += 1) refused.push(await ask(12, 411n + BigInt(n % 4)));
    const other = await ask(25);
    const signer = room.signer();
    await signer.round();
    expect(room.waits).toEqual(refused.map((id) => ({ id, waitsFor: 'token_refuses' })));
    expect(await room.follow(415n, other, signer)).toMatchObject({ step: 'done' });
    await wrapToken(null);
    // Once the token accepts them, they are paid.
    const [first = ''] = refused;
    expect(await room.follow(411n, first)).toMatchObject({ step: 'done' });
  });
});
