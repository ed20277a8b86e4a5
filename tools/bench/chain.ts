import { createSecretKey } from 'node:crypto';
import { Bus } from '@sathorn/server/bus';
import { openDepositAddresses } from '@sathorn/server/chain';
import { fixedBankAccounts, openDeposits } from '@sathorn/server/deposits';
import { openLedger } from '@sathorn/server/ledger';
import { openTestChain, type TestChain } from '@sathorn/server/testing-chain';
import pg from 'pg';
import { createPublicClient, http, parseAbiItem } from 'viem';
import { type BenchCluster, openBenchCluster } from './bench-cluster.ts';
import { type BenchFigure, perSecond } from './figure.ts';

const BLOCKS = 300;
const PER_BLOCK = 150;
const WATCHED = 10_000;
/** The number of transfers per block that go to customers. */
const OURS = 2;

const addressOf = (n: number): string => `0x${(0xbe9c00000000n + BigInt(n)).toString(16).padStart(40, '0')}`;

async function fill(chain: TestChain): Promise<void> {
  let sent = 0;
  for (let block = 0; block < BLOCKS; block += 1) {
    const to = Array.from(
      { length: PER_BLOCK - OURS },
      (_, n) => `0x${(block * PER_BLOCK + n + 1).toString(16).padStart(40, 'f')}`,
    );
    await chain.sendMany(
      to,
      to.map(() => 5_000_000n),
    );
    for (let n = 0; n < OURS; n += 1) await chain.send(addressOf(sent++ % WATCHED), 5_000_000n);
    await chain.mine();
  }
  await chain.mine(3);
}

/** A straightforward reader: each block's events, decoded by the library and looked up in a set. */
async function plainLoop(chain: TestChain): Promise<{ ms: number; transfers: number }> {
  const client = createPublicClient({ transport: http(chain.url), cacheTime: 0 });
  const event = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');
  const watched = new Set(Array.from({ length: WATCHED }, (_, n) => addressOf(n)));
  const token = chain.config.token as `0x${string}`;
  const began = performance.now();
  const head = await client.getBlockNumber();
  let [transfers, ours] = [0, 0];
  for (let block = 0n; block <= head; block += 1n) {
    const logs = await client.getLogs({ address: token, event, fromBlock: block, toBlock: block });
    transfers += logs.length;
    for (const { args } of logs) if (args.to && watched.has(args.to.toLowerCase())) ours += 1;
  }
  if (ours === 0) throw new Error('the plain loop found nothing');
  return { ms: performance.now() - began, transfers };
}

async function watch(cluster: BenchCluster, chain: TestChain): Promise<{ ms: number; found: number }> {
  const { database } = cluster;
  const [bus, clock] = [new Bus(), { now: () => new Date() }];
  const { watcher } = openDeposits({
    watchKey: createSecretKey(Buffer.alloc(32)),
    messages: { send: async () => undefined },
    database,
    ledger: openLedger({ eligibility: null, database, clock, bus }).api,
    bus,
    clock,
    mode: 'demo',
    timeZone: 'Asia/Bangkok',
    chain: {
      config: chain.config,
      readers: [chain.reader, chain.reader],
      addresses: openDepositAddresses(database, chain.config),
    },
    banks: fixedBankAccounts(null),
    sealer: { digest: () => Buffer.alloc(32) },
    bahtRate: async () => null,
    readPicture: async () => null,
    isFrozen: async () => false,
    freezes: {} as never,
    payees: {} as never,
    heldUntil: async () => null,
    customers: {} as never,
    feed: null,
    lookOf: async () => null,
    concernedBy: async (customer) => [customer],
    usernameOf: async () => '',
    workNameOf: async () => '',
    approvals: {} as never,
    stepUps: {} as never,
    audit: { append: async () => 0n },
    findWaiting: async () => null,
    onFault: (error) => console.error(error),
  });
  const scanned = async (): Promise<{ scanned: bigint; found: bigint } | undefined> =>
    (
      await database.query<{ scanned: bigint; found: bigint }>({
        name: 'bench.scanned',
        text: 'SELECT scanned, (SELECT count(*) FROM deposits.deposit) AS found FROM deposits.cursor',
      })
    )[0];
  const head = BigInt((await chain.reader.head()).height);
  const began = performance.now();
  // Measures reading only. Crediting asks each node about each deposit, which the compared reader does not do.
  for (;;) {
    await watcher?.scanOnly();
    const at = await scanned();
    if (at && at.scanned >= head) return { ms: performance.now() - began, found: Number(at.found) };
  }
}

export async function benchChain(): Promise<BenchFigure[]> {
  const [cluster, chain] = await Promise.all([openBenchCluster(), openTestChain({ keepsHistory: false })]);
  const owner = new pg.Client(cluster.owner);
  await owner.connect();
  try {
    await owner.query(
      `INSERT INTO chain.address (chain, customer_id, index, address, xpub_mark)
       SELECT 'testnet', n + 1, n, '0x' || lpad(to_hex(${0xbe9c00000000} + n), 40, '0'), 'bench' FROM generate_series(0, ${WATCHED - 1}) n`,
    );
    await fill(chain);
    const plain = await plainLoop(chain);
    const ours = await watch(cluster, chain);
    const rate = (count: number, ms: number): string => perSecond((count / ms) * 1_000);
    return [
      {
        name: `a chain of ${BLOCKS} blocks with ${PER_BLOCK} transfers each, read from the start: ${WATCHED.toLocaleString('en')} addresses watched, deposits recorded (${ours.found})`,
        value: `${rate(BLOCKS, ours.ms)} blocks, ${rate(plain.transfers, ours.ms)} transfers`,
        ratio: `${(plain.ms / ours.ms).toFixed(1)}× a loop of plain getLogs that records nothing (${rate(BLOCKS, plain.ms)} blocks, ${rate(plain.transfers, plain.ms)} transfers)`,
        goal: '≥ 2×',
        share: ['blocks read', plain.ms / ours.ms],
      },
    ];
  } finally {
    await owner.end();
    await chain.close();
    await cluster.stop();
  }
}
