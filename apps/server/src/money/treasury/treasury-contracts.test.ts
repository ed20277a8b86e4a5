import { createHash, randomBytes } from 'node:crypto';
import {
  addressWord,
  decideTreasuryTransaction,
  type Hex,
  hashOfSafeTransaction,
  isKnownMultiSend,
  joinSignatures,
  keccak,
  type OwnerSignature,
  type RunLine,
  type SafeTransaction,
  SENTINEL,
  selectorOf,
  sizedBytes,
  word,
  writeExecution,
  writeOwnerChange,
  writeOwnerSignature,
  writePaymentRun,
} from '@sathorn/treasury';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { balanceCallData, hasLocalChain, hexQuantityOf, openRpc, type Rpc } from '../chain/index.ts';
import { openTestChain, type TestChain } from '../testing-chain.ts';
import { type DemoOwner, demoOwnerOf } from './demo-owner.ts';
import { assertOfficialSafe } from './official-contracts.ts';
import {
  createSignerData,
  type LocalTreasury,
  type PasskeyPoint,
  prepareLocalTreasury,
  readContractFile,
  signerAddressOf,
} from './treasury-contracts.ts';

const CHAIN_ID = 31337;
const ANYBODY = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const HOST = 'console.example';

const newOwner = (): DemoOwner => demoOwnerOf(randomBytes(32), 'ann');

const HASH = selectorOf(
  'getTransactionHash(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,uint256)',
);
const fieldsOf = ({ to, data, operation }: SafeTransaction, last: string): string =>
  addressWord(to) +
  word(0) +
  word(320) +
  word(operation === 'call' ? 0 : 1) +
  word(0).repeat(5) +
  last +
  sizedBytes(data.slice(2));

describe.skipIf(!hasLocalChain())('a treasury on a chain', () => {
  let chain: TestChain;
  let rpc: Rpc;
  let treasury: LocalTreasury;
  let token: string;
  const people = [newOwner(), newOwner(), newOwner()];
  const ownerOf = (person: DemoOwner): string => treasury.owners[people.indexOf(person)] ?? '';
  const stranger = (): string => `0x${randomBytes(20).toString('hex')}`;
  const call = (to: string, data: string): Promise<string> => rpc.call('eth_call', [{ to, data }, 'latest']);
  const nonce = async (): Promise<bigint> => BigInt(await call(treasury.safe, `0x${selectorOf('nonce()')}`));
  const held = async (who: string): Promise<bigint> => BigInt(await call(token, balanceCallData(who)));
  const hashOf = (transaction: SafeTransaction, chainId = CHAIN_ID): Hex =>
    hashOfSafeTransaction({ chainId, safe: treasury.safe }, transaction);
  const signed = (person: DemoOwner, transaction: SafeTransaction, chainId = CHAIN_ID): OwnerSignature => {
    const hash = hashOf(transaction, chainId);
    return { owner: ownerOf(person), signature: writeOwnerSignature(person.assert(hash, HOST), hash) ?? '0x' };
  };
  /** True if the chain executed it. */
  const execute = async (transaction: SafeTransaction, signatures: readonly OwnerSignature[]): Promise<boolean> => {
    const data = writeExecution(transaction, joinSignatures(signatures));
    const hash = await rpc.call<string>('eth_sendTransaction', [
      { from: ANYBODY, to: treasury.safe, data, gas: hexQuantityOf(20_000_000) },
    ]);
    await rpc.call('evm_mine', []);
    const receipt = await rpc.call<{ status: string }>('eth_getTransactionReceipt', [hash]);
    return receipt.status === '0x1';
  };
  const runOf = async (lines: readonly RunLine[]): Promise<SafeTransaction> =>
    writePaymentRun(lines, treasury.contracts['multi-send-call-only'], await nonce());
  const [ann, bea, cid] = people as [DemoOwner, DemoOwner, DemoOwner];

  beforeAll(async () => {
    chain = await openTestChain();
    token = chain.config.token;
    rpc = openRpc(chain.url);
    treasury = await prepareLocalTreasury(
      rpc,
      people.map(({ point }) => point),
    );
    await chain.send(treasury.safe, 1_000_000n);
    await chain.mine();
  });
  afterAll(() => chain.close());

  it('is opened on a real chain only with the code that its authors published', async () => {
    const official = async (name: 'safe' | 'multi-send-call-only') => {
      const address = treasury.contracts[name];
      const code = await rpc.call<string>('eth_getCode', [address, 'latest']);
      return { address, codeHash: `0x${keccak(code.slice(2))}` };
    };
    const published = { safe: await official('safe'), multiSendCallOnly: await official('multi-send-call-only') };
    const { safe } = treasury;
    await expect(assertOfficialSafe([chain.url], safe, published)).resolves.toBeUndefined();
    const other = { ...published.multiSendCallOnly, codeHash: `0x${'0'.repeat(64)}` };
    await expect(assertOfficialSafe([chain.url], safe, { ...published, multiSendCallOnly: other })).rejects.toThrow(
      'is not the code that its authors published',
    );
    await expect(assertOfficialSafe([chain.url], safe)).rejects.toThrow('is not the code');
    await expect(assertOfficialSafe([chain.url], token, published)).rejects.toThrow('is not a Safe 1.5.0');
  });

  it('has the contract for payment runs that consoles know', () => {
    expect(isKnownMultiSend(treasury.contracts['multi-send-call-only'], CHAIN_ID)).toBe(true);
  });

  it('is prepared once, at the same addresses', async () => {
    const height = await rpc.call<string>('eth_blockNumber', []);
    expect(
      await prepareLocalTreasury(
        rpc,
        people.map(({ point }) => point),
      ),
    ).toEqual(treasury);
    expect(await rpc.call<string>('eth_blockNumber', [])).toBe(height);
  });

  it('has the contracts that its files name', () => {
    for (const name of Object.keys(treasury.contracts) as (keyof typeof treasury.contracts)[]) {
      const { bytecode, sha256, licence } = readContractFile(name);
      expect(
        createHash('sha256')
          .update(Buffer.from(bytecode.slice(2), 'hex'))
          .digest('hex'),
      ).toBe(sha256);
      expect(licence).toMatch(/^LGPL-3.0/);
    }
  });

  it('hashes a transaction as the Safe does', async () => {
    const run = await runOf([{ token, to: stranger(), units: 7n }]);
    const told = await call(treasury.safe, `0x${HASH}${fieldsOf(run, word(run.nonce))}`);
    expect(told).toBe(hashOf(run));
  });

  it('pays a run that two people signed, whole', async () => {
    const lines = Array.from({ length: 50 }, (_, place) => ({ token, to: stranger(), units: BigInt(place + 1) }));
    const run = await runOf(lines);
    const { safe, contracts, owners } = treasury;
    const facts = {
      safe,
      multiSend: contracts['multi-send-call-only'],
      tokens: [token],
      owners,
      threshold: 2,
      nonce: run.nonce,
    };
    expect(decideTreasuryTransaction(run, facts)).toEqual({ ok: true, effect: { kind: 'run', lines } });
    expect(await execute(run, [signed(cid, run), signed(ann, run)])).toBe(true);
    for (const { to, units } of lines) expect(await held(to)).toBe(units);
    // The same run again has a nonce that is used.
    expect(await execute(run, [signed(cid, run), signed(ann, run)])).toBe(false);
  });

  it('refuses what fewer than two owners signed, or another transaction', async () => {
    const to = stranger();
    const run = await runOf([{ token, to, units: 100n }]);
    const other = await runOf([{ token, to: stranger(), units: 100n }]);
    const outsider = newOwner();
    const forged = {
      owner: ownerOf(ann),
      signature: writeOwnerSignature(outsider.assert(hashOf(run), HOST), hashOf(run)) ?? '0x',
    };
    const later = { ...run, nonce: run.nonce + 1n };
    const attempts: [string, SafeTransaction, OwnerSignature[]][] = [
      ['one vote', run, [signed(ann, run)]],
      ['the same vote twice', run, [signed(ann, run), signed(ann, run)]],
      ['a forged vote', run, [forged, signed(bea, run)]],
      ['votes on another payee', run, [signed(ann, other), signed(bea, other)]],
      ['votes for another chain', run, [signed(ann, run, 1), signed(bea, run, 1)]],
      ['votes for another nonce', run, [signed(ann, later), signed(bea, later)]],
    ];
    const before = await held(treasury.safe);
    for (const [name, transaction, votes] of attempts)
      expect([name, await execute(transaction, votes)]).toEqual([name, false]);
    expect([await held(to), await held(treasury.safe)]).toEqual([0n, before]);
    // The same run is still good with two.
    expect(await execute(run, [signed(ann, run), signed(bea, run)])).toBe(true);
  });

  it('has its owners changed by two, and the one who left signs nothing more', async () => {
    const dan = newOwner();
    const { safe, contracts, owners } = treasury;
    const getOwners = async (): Promise<string[]> =>
      ((await call(safe, `0x${selectorOf('getOwners()')}`)).slice(2).match(/.{64}/g) ?? [])
        .slice(2)
        .map((text) => `0x${text.slice(24)}`);
    expect((await getOwners()).toSorted()).toEqual([...owners].toSorted());
    const made = await deployTreasurySigner(dan.point);
    const place = (await getOwners()).indexOf(ownerOf(cid));
    const previous = (await getOwners())[place - 1] ?? SENTINEL;
    const swap = writeOwnerChange({ kind: 'swap', previous, owner: ownerOf(cid), next: made }, safe, await nonce());
    expect(await execute(swap, [signed(cid, swap), signed(bea, swap)])).toBe(true);
    expect(await getOwners()).toContain(made);
    const run = await runOf([{ token, to: stranger(), units: 1n }]);
    expect(await execute(run, [signed(cid, run), signed(bea, run)])).toBe(false);
    const hash = hashOf(run);
    const byDan = { owner: made, signature: writeOwnerSignature(dan.assert(hash, HOST), hash) ?? ('0x' as const) };
    expect(await execute(run, [byDan, signed(bea, run)])).toBe(true);

    async function deployTreasurySigner(point: PasskeyPoint): Promise<string> {
      const data = createSignerData(contracts, point);
      await rpc.call('eth_sendTransaction', [
        { from: ANYBODY, to: contracts['safe-webauthn-signer-factory'], data, gas: hexQuantityOf(1_000_000) },
      ]);
      await rpc.call('evm_mine', []);
      return signerAddressOf(rpc, contracts, point);
    }
  });
});
