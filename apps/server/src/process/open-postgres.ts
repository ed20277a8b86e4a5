import path from 'node:path';
import { type DataFolderGuard, guardDataFolder } from '../checker/backup/index.ts';
import {
  type ChainConfig,
  declareHouseAddresses,
  type HouseAddress,
  type HouseWallets,
  readHouseWallets,
} from '../money/chain/index.ts';
import { declareTreasury } from '../money/treasury/declare-treasury.ts';
import { assertHasWallet, declareTimeZone } from '../money/withdrawals/index.ts';
import { sealContacts, sealCustomerPasskeys } from '../people/customers/index.ts';
import {
  assertDatabaseServer,
  type Connection,
  connectionOf,
  createRoleLogin,
  declareMode,
  migrate,
  openDatabase,
  startEmbeddedPostgres,
} from '../platform/database/index.ts';
import { assertKnownSecrets } from '../platform/known-secrets.ts';
import { announceKey, ed25519Signer } from '../platform/proofs/index.ts';
import type { Secrets } from '../platform/secrets.ts';
import { shipContents } from '../service/content/index.ts';
import {
  enrolDemoOperators,
  operatorKeysOf,
  operatorsModuleOf,
  pinFirstVoters,
  relyingPartyOf,
} from '../staff/operators/index.ts';
import type { Config } from './config.ts';

export interface RunningPostgres {
  readonly app: Connection;
  /** Logs in with the only role that may append ticks. */
  readonly index: Connection;
  readonly checker: Connection;
  /** Logs in with the role that assigns nonces to payouts. */
  readonly signer: Connection;
  /** Logs in with the role that writes the public log. */
  readonly log: Connection;
  /** True while the embedded server runs; always true for a server from `DATABASE_URL`, which is not watched. */
  isUp(): boolean;
  stop(): Promise<void>;
}

interface OpeningWallet {
  /** Called with the wallets that the database knows, before `chain` resolves. */
  readonly onWallets: (known: HouseWallets) => void;
  /** Null without a chain. */
  readonly chain: Promise<ChainConfig | null>;
}
const NO_CHAIN: OpeningWallet = { onWallets: () => undefined, chain: Promise.resolve(null) };

/**
 * Connects to the server in `DATABASE_URL`, or starts one as a child process; migrates it, and returns a connection for
 * each role. `created` resolves when the embedded server's files exist. The chain's own addresses are never payees.
 */
export async function openPostgres(
  config: Config,
  secrets: Secrets,
  print: (line: string) => void,
  created?: Promise<void>,
  wallet: OpeningWallet = NO_CHAIN,
): Promise<RunningPostgres> {
  const app = secrets.databaseApp.toString('hex');
  const index = secrets.databaseIndex.toString('hex');
  const checker = secrets.databaseChecker.toString('hex');
  const signer = secrets.databaseSigner.toString('hex');
  const log = secrets.databaseLog.toString('hex');
  if (config.databaseUrl) {
    const owner = connectionOf(config.databaseUrl);
    await assertDatabaseServer(owner);
    await migrate(owner);
    await declareMode(owner, config.mode);
    await declareTimeZone(owner, config.brand.timeZone);
    await announceKeys(owner, config, secrets);
    await makeOperators(owner, config, secrets, print);
    await shipFirstContents(owner, config);
    await declareWallet(owner, config, wallet);
    return {
      app: await createRoleLogin(owner, 'sathorn_app', app),
      index: await createRoleLogin(owner, 'sathorn_index', index),
      checker: await createRoleLogin(owner, 'sathorn_checker', checker),
      signer: await createRoleLogin(owner, 'sathorn_signer', signer),
      log: await createRoleLogin(owner, 'sathorn_log', log),
      isUp: () => true,
      stop: async () => undefined,
    };
  }
  const embedded = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    password: secrets.databaseOwner.toString('hex'),
    print,
    ...(created && { created }),
  });
  let guard: DataFolderGuard;
  try {
    await migrate(embedded.owner, { app, index, checker, signer, log });
    await declareMode(embedded.owner, config.mode);
    await declareTimeZone(embedded.owner, config.brand.timeZone);
    // Waits for all even if one fails, because the database stops afterwards.
    const begun = await Promise.allSettled([
      announceKeys(embedded.owner, config, secrets),
      makeOperators(embedded.owner, config, secrets, print),
      shipFirstContents(embedded.owner, config),
    ]);
    for (const one of begun) if (one.status === 'rejected') throw one.reason;
    await declareWallet(embedded.owner, config, wallet);
    guard = await guardDataFolder(config.dataDir, embedded.owner, print);
  } catch (error) {
    await embedded.stop();
    throw error;
  }
  return {
    app: { ...embedded.owner, user: 'sathorn_app', password: app },
    index: { ...embedded.owner, user: 'sathorn_index', password: index },
    checker: { ...embedded.owner, user: 'sathorn_checker', password: checker },
    signer: { ...embedded.owner, user: 'sathorn_signer', password: signer },
    log: { ...embedded.owner, user: 'sathorn_log', password: log },
    isUp: () => embedded.pid() !== null,
    stop: async () => {
      await guard.release();
      await embedded.stop();
    },
  };
}

/** Refuses a wallet other than the one that the database knows, before its address is stored as the house's. */
async function declareWallet(owner: Connection, config: Config, { onWallets, chain }: OpeningWallet): Promise<void> {
  const known = await readHouseWallets(owner);
  onWallets(known);
  const opened = await chain;
  if (opened !== null) assertHasWallet(path.join(config.dataDir, 'signer'), known, opened.hot);
  await declareHouseAddresses(owner, houseAddressesOf(config, opened));
  if (opened !== null) await declareTreasury(owner, opened);
}

const houseAddressesOf = ({ houseAddresses }: Config, chain: ChainConfig | null): HouseAddress[] => [
  ...houseAddresses.map((address) => ({ chain: 'any', address, role: 'named' as const })),
  ...(chain
    ? [
        { chain: chain.code, address: chain.hot, role: 'wallet' as const },
        { chain: chain.code, address: chain.token, role: 'token' as const },
      ]
    : []),
];

/** Runs as the owner, so that no process of the application can add a key and sign with it. */
async function announceKeys(owner: Connection, { dataDir }: Config, secrets: Secrets): Promise<void> {
  const database = openDatabase(owner, { connections: 1 });
  try {
    await announceKey(database, 'index', ed25519Signer(secrets.indexKey));
    await announceKey(database, 'receipt', ed25519Signer(secrets.receiptKey));
    await assertKnownSecrets(database, secrets, dataDir);
  } finally {
    await database.close();
  }
}

/** Runs as the owner, because the application can neither create operators nor decide whose votes count first. */
async function makeOperators(
  owner: Connection,
  { mode, brand, baseUrl, consoleUrl, dataDir }: Config,
  secrets: Secrets,
  print: (line: string) => void,
): Promise<void> {
  const database = openDatabase(owner, { connections: 1 });
  try {
    if (mode === 'demo')
      await enrolDemoOperators(
        database,
        operatorsModuleOf({ database, mode, secrets, brandTitle: brand.title, consoleUrl: baseUrl }),
        new Date(),
      );
    const { sessionKey } = secrets;
    const sealed = await sealCustomerPasskeys(database, sessionKey);
    if (sealed > 0) print(`${sealed} passkeys of customers are sealed from now on`);
    const bound = await sealContacts(database, sessionKey);
    if (bound > 0) print(`${bound} phones and emails of customers are sealed from now on`);
    await pinFirstVoters({
      owner: database,
      connection: owner,
      dataDir,
      mode,
      sessionKey,
      keys: operatorKeysOf(sessionKey),
      party: relyingPartyOf(brand.title, consoleUrl ?? baseUrl),
      print,
    });
  } finally {
    await database.close();
  }
}

/** Runs as the owner, because the application can't publish without an operator. */
async function shipFirstContents(owner: Connection, { mode }: Config): Promise<void> {
  const database = openDatabase(owner, { connections: 1 });
  try {
    await shipContents(database, mode);
  } finally {
    await database.close();
  }
}
