import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, runAsOwner, type TestDatabase } from '../../platform/database/testing.ts';
import { TEST_XPUB } from '../testing-chain.ts';
import { deriveDepositAddress } from './derive-deposit-address.ts';
import { openDepositAddresses } from './index.ts';

const config = { code: 'testnet', xpub: TEST_XPUB };
const at = (index: number): string => deriveDepositAddress(TEST_XPUB, index);

describe('deposit addresses', () => {
  let test: TestDatabase;
  const used = new Set<string>();
  const open = () => openDepositAddresses(test.database, config, async (address) => used.has(address));
  beforeAll(async () => {
    test = await openTestDatabase();
  });
  afterAll(() => test.close());

  it('skip one that the chain has already seen, because it belongs to somebody; it is watched', async () => {
    used.add(at(1));
    const addresses = open();
    expect([await addresses.of(1n), await addresses.of(2n), await addresses.of(1n)]).toEqual([at(0), at(2), at(0)]);
    expect(await addresses.leftOut()).toEqual([[at(1), 1]]);
    expect(await addresses.leftOut()).toEqual([]);
  });

  it('are not given out while the chain cannot be queried', async () => {
    const addresses = openDepositAddresses(test.database, config, () => Promise.reject(new Error('the node is away')));
    await expect(addresses.find(3n)).rejects.toThrow('the node is away');
    expect(await addresses.find(1n)).toBe(at(0));
  });

  it('leave a wide gap after a restoration, into which nobody can insert one', async () => {
    await runAsOwner(
      test.owner,
      `INSERT INTO proofs.restoration (ends_at, known_at, transfers, known_transfers, ticks, known_ticks) VALUES (now(), now(), 1, 1, '{}', '{}')`,
    );
    const addresses = open();
    expect(await addresses.find(4n)).toBeNull();
    await expect(addresses.of(4n)).rejects.toThrow('not yet reconciled');
    // Two people have ended the reconciliation.
    await runAsOwner(
      test.owner,
      `SET session_replication_role = replica; UPDATE proofs.reconciliation SET closed_at = now(), approval = gen_random_uuid()`,
    );
    expect(await open().of(4n)).toBe(at(100_003));
    const insert = (index: number) =>
      test.database.query({
        name: '',
        text: `INSERT INTO chain.address (chain, customer_id, index, address, xpub_mark) VALUES ('testnet', 5, ${index}, '${at(index)}', 'x')`,
      });
    await expect(insert(3)).rejects.toThrow('was left out');
    await expect(insert(100_002)).rejects.toThrow('was left out');
    // Another process reads the range once and derives its first addresses in parts.
    let watched = 0;
    for (let some = await addresses.leftOut(); some.length > 0; some = await addresses.leftOut())
      watched += some.length;
    expect(watched).toBe(2_001);
  }, 60_000);
});
