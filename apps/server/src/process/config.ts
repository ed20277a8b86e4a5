import { statSync } from 'node:fs';
import path from 'node:path';
import { type Brand, brandNamed, DEFAULT_BRAND } from '@sathorn/brand';
import type { ChainConfig, TreasuryPlace } from '../money/chain/index.ts';
import { SERVER_ROLES, type ServerRole } from '../platform/roles.ts';

/** A demonstration's own local chain, or a real one. */
export type ChainSettings = Pick<ChainConfig, 'sweepMin' | 'sweepEveryMs'> &
  Pick<TreasuryPlace, 'hotMax'> &
  ChainSource;
type ChainSource =
  | { readonly kind: 'local'; readonly port: number; readonly blockMs: number }
  | ({
      readonly kind: 'rpc';
      /** The Safe that is the treasury; null without one. */
      readonly treasurySafe: string | null;
    } & Pick<
      ChainConfig,
      | 'code'
      | 'name'
      | 'standard'
      | 'chainId'
      | 'token'
      | 'confirmations'
      | 'explorer'
      | 'rpcUrls'
      | 'xpub'
      | 'firstBlock'
    >);

export interface Config {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  /** The origin of the practice platform, which customers enter from here; null without one. */
  readonly practiceUrl: string | null;
  /** True if this demonstration runs its practice platform itself, as a child process. */
  readonly runsPractice: boolean;
  /** On a practice platform, where all is play money: the real one's origin, and the public key of its tickets, hex. */
  readonly practiceOf: { readonly origin: string; readonly key: string } | null;
  /** A PostgreSQL server; without it one is started as a child process. */
  readonly databaseUrl: string | null;
  /**
   * The public log: the folder of its key, which belongs on another disk than the other keys, and the file that names
   * its witnesses; null for a demonstration's own ones. Without a folder there is no log.
   */
  readonly publicLog: { readonly folder: string; readonly policyFile: string | null } | null;
  /** NATS servers with JetStream, as a bus between processes; without them the bus stays within this process. */
  readonly natsUrl: string | null;
  readonly mode: 'demo' | 'live';
  readonly brand: Brand;
  readonly roles: ReadonlySet<ServerRole>;
  /** True if the parts that talk to strangers, edge and watcher, run in their own processes. */
  readonly strangersApart: boolean;
  /** True if a second process also receives prices, and takes over at once when the index process ends. */
  readonly standbyIndex: boolean;
  /** True for the prices of real exchanges; the practice platform of a live one has them too. */
  readonly hasLivePrices: boolean;
  /** Folder with recorded prices; demo mode only. */
  readonly replay: string | null;
  readonly simSeed: string | null;
  /** True to create demo people in every state, in the background after the first start; demo mode only. */
  readonly demoPeople: boolean;
  /** How many of our own proxies are in front of the server. */
  readonly proxyHops: number;
  readonly baseUrl: string;
  /** The page of the brand's own customer service; null if its customers write to us. */
  readonly serviceUrl: string | null;
  /** True if operators may vote with a key that their browser stores, besides passkeys; in a demo they always may. */
  readonly deviceKeys: boolean;
  /** How push services can contact the operator: an https: or mailto: address; null for the app's own address. */
  readonly pushContact: string | null;
  /** The origin of the console; null in a demonstration, where it is at `/console` of the same host. */
  readonly consoleUrl: string | null;
  /** A JSON file with the house's accounts for bank deposits; null if there are none. */
  readonly bankFile: string | null;
  /** The bank's own statements: a folder or an address, and the bank's public key; null without a feed. */
  readonly bankFeed: { readonly from: string; readonly key: string } | null;
  /** Origins whose pages may make calls, besides the server's own host. */
  readonly allowedOrigins: readonly string[];
  /** Calls per minute and address, for an owner's load tests. */
  readonly rateLimit: number | null;
  readonly metricsToken: string | null;
  /** The licence for options; without one a live deployment does not offer them. */
  readonly licenceOfOptions: string | null;
  /** The licence for contracts. */
  readonly licenceOfContracts: string | null;
  /** The licence for lock-up and liquidity. */
  readonly licenceOfEarning: string | null;
  /** True if customers must see risks and answer questions before the first order of a product: always in live mode. */
  readonly asksConsent: boolean;
  /** The licence for blind boxes. */
  readonly licenceOfBoxes: string | null;
  /** Servers of the public beacon drand for blind boxes; none in a demonstration. Without them boxes state that. */
  readonly beaconUrls: readonly string[];
  /** Invitation codes for a live brand's first customers. */
  readonly inviteCodes: readonly string[];
  /** The chain for deposits and withdrawals of USDT; null without one. */
  readonly chain: ChainSettings | null;
  /** The house's other addresses on any chain, such as treasury and cold wallets; nobody can withdraw to them. */
  readonly houseAddresses: readonly string[];
  /** Owners of the treasury whose keys lie in vaults. */
  readonly treasuryColdOwners: readonly string[];
  readonly sms: { readonly url: string; readonly token: string; readonly from: string } | null;
  readonly mail: { readonly url: string; readonly from: string } | null;
}

/** A demo has all products; a live deployment offers a product only with its licence. */
export function isSellingOptions({ mode, licenceOfOptions }: Pick<Config, 'mode' | 'licenceOfOptions'>): boolean {
  return mode === 'demo' || licenceOfOptions !== null;
}

export function isOfferingContracts({
  mode,
  licenceOfContracts,
}: Pick<Config, 'mode' | 'licenceOfContracts'>): boolean {
  return mode === 'demo' || licenceOfContracts !== null;
}

export function isOfferingBoxes({ mode, licenceOfBoxes }: Pick<Config, 'mode' | 'licenceOfBoxes'>): boolean {
  return mode === 'demo' || licenceOfBoxes !== null;
}

function fail(message: string): never {
  throw new Error(message);
}

function readCount(name: string, text: string, least: number, most: number): number {
  const count = /^[0-9]{1,9}$/.test(text) ? Number(text) : -1;
  return count >= least && count <= most ? count : fail(`${name}=${text} must be a number from ${least} to ${most}`);
}

/** Reads a URL without ever printing it in full, because it may contain a password. */
function readUrl(name: string, text: string, ...protocols: string[]): string {
  const isUrl = URL.canParse(text) && protocols.includes(new URL(text).protocol);
  return isUrl
    ? text
    : fail(`${name} is no URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`);
}

/** A feed requires the bank's key: without it, anybody who can write to the folder could forge statements. */
function readBankFeed(env: NodeJS.ProcessEnv): Config['bankFeed'] {
  const [from, key] = [env.BANK_FEED, env.BANK_FEED_KEY];
  if (!from) return key ? fail('BANK_FEED_KEY without BANK_FEED') : null;
  if (!key || Buffer.from(key, 'base64').length !== 32)
    fail('BANK_FEED_KEY must be the bank’s Ed25519 public key, 32 bytes in base64');
  if (/^[a-z]+:\/\//.test(from)) readUrl('BANK_FEED', from, 'https:', 'http:');
  return { from, key };
}

/** One server or several, in the NATS client's format. */
function readNatsUrls(text: string): string {
  for (const one of text.split(',')) readUrl('NATS_URL', one.trim(), 'nats:', 'tls:');
  return text;
}

function readFolder(name: string, text: string): string {
  const folder = path.resolve(text);
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? folder : fail(`${name}=${text} is not a folder`);
}

const listOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

function readRoles(text: string | undefined): Set<ServerRole> {
  if (!text) return new Set(SERVER_ROLES);
  const names = listOf(text);
  const unknown = names.find((name) => !(SERVER_ROLES as readonly string[]).includes(name));
  if (unknown !== undefined || names.length === 0)
    fail(`ROLES names ${unknown ?? 'none'}; there are ${SERVER_ROLES.join(', ')}`);
  const roles = new Set(names as ServerRole[]);
  // The watcher was a part of the settler. Without this, an update would stop deposits where roles are listed.
  if (roles.has('settler')) roles.add('watcher');
  return roles;
}

function readOrigin(name: string, text: string): string {
  const origin = text.trim();
  const isOrigin = /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
  return isOrigin ? origin : fail(`${name}: ${text} must be an origin like https://app.example`);
}

function readMatch(name: string, text: string | undefined, pattern: RegExp, what: string): string {
  return text !== undefined && pattern.test(text) ? text : fail(`${name} must be ${what}`);
}

const readAddresses = (name: string, text: string | undefined): string[] =>
  listOf(text).map((address) =>
    readMatch(name, address, /^0x[0-9a-fA-F]{40}$/, 'addresses, comma separated').toLowerCase(),
  );

function readChain(env: NodeJS.ProcessEnv, mode: Config['mode']): ChainSettings | null {
  // A local chain belongs to one server: several with one database would each have their own chain.
  const isAlone = mode === 'demo' && !env.DATABASE_URL;
  const kind = env.CHAIN || (env.CHAIN_RPC_URLS ? 'rpc' : isAlone ? 'local' : 'off');
  if (kind === 'off') return null;
  const [leastOf, everyOf] = mode === 'live' ? ['50', '3600'] : ['10', '60'];
  const sweeps = {
    sweepMin: BigInt(readCount('SWEEP_MIN', env.SWEEP_MIN || leastOf, 1, 1_000_000)) * 10n ** 6n,
    sweepEveryMs: readCount('SWEEP_EVERY', env.SWEEP_EVERY || everyOf, 1, 7 * 86_400) * 1_000,
    // A day of payouts that need nobody.
    hotMax: BigInt(readCount('HOT_WALLET_MAX', env.HOT_WALLET_MAX || '100000', 1, 1_000_000_000)) * 10n ** 6n,
  };
  if (kind === 'local') {
    if (mode === 'live') fail('CHAIN=local is a demonstration’s; a live deployment has CHAIN_RPC_URLS');
    return {
      ...sweeps,
      kind,
      port: readCount('CHAIN_PORT', env.CHAIN_PORT || '0', 0, 65_535),
      blockMs: readCount('CHAIN_BLOCK_MS', env.CHAIN_BLOCK_MS || '2000', 50, 60_000),
    };
  }
  if (kind !== 'rpc') fail(`CHAIN=${kind}; it is local, rpc or off`);
  const rpcUrls = listOf(env.CHAIN_RPC_URLS).map((url) => readUrl('CHAIN_RPC_URLS', url, 'https:', 'http:'));
  // A single node could lie, and whoever runs it would decide what is credited.
  if (new Set(rpcUrls).size < 2) fail('CHAIN_RPC_URLS must name two nodes of different people, with a comma between');
  return {
    ...sweeps,
    kind,
    rpcUrls,
    code: readMatch('CHAIN_CODE', env.CHAIN_CODE, /^[a-z0-9-]{1,32}$/, 'a name such as ethereum'),
    name: env.CHAIN_NAME || fail('CHAIN_NAME must be what people call the chain'),
    standard: env.CHAIN_STANDARD || 'ERC-20',
    chainId: readCount('CHAIN_ID', env.CHAIN_ID ?? '', 1, 999_999_999),
    token: readMatch('CHAIN_TOKEN', env.CHAIN_TOKEN, /^0x[0-9a-fA-F]{40}$/, 'the address of a contract').toLowerCase(),
    confirmations: readCount('CHAIN_CONFIRMATIONS', env.CHAIN_CONFIRMATIONS || '12', 1, 200),
    xpub: readMatch('CHAIN_XPUB', env.CHAIN_XPUB, /^xpub[1-9A-HJ-NP-Za-km-z]{100,112}$/, 'an extended public key'),
    firstBlock: readCount('CHAIN_FIRST_BLOCK', env.CHAIN_FIRST_BLOCK ?? '', 0, 999_999_999),
    treasurySafe: env.TREASURY_SAFE
      ? readMatch('TREASURY_SAFE', env.TREASURY_SAFE, /^0x[0-9a-fA-F]{40}$/, 'the address of a Safe').toLowerCase()
      : null,
    explorer: env.CHAIN_EXPLORER ? readUrl('CHAIN_EXPLORER', env.CHAIN_EXPLORER, 'https:') : null,
  };
}

function readConsoleUrl(env: NodeJS.ProcessEnv, mode: string): string | null {
  if (!env.CONSOLE_URL)
    return mode === 'live' ? fail('SATHORN_MODE=live needs CONSOLE_URL: a host name that only operators use') : null;
  const origin = readOrigin('CONSOLE_URL', env.CONSOLE_URL);
  const customers = env.BASE_URL && URL.canParse(env.BASE_URL) ? new URL(env.BASE_URL).hostname : 'localhost';
  // Browsers separate sites by host name, but share some state, such as cookies, between ports.
  if (new URL(origin).hostname === customers) fail('CONSOLE_URL must have another host name than BASE_URL');
  return origin;
}

/** Customers are told that they leave the app and for which host, so the shown host must be the real one. */
function readServiceUrl(text: string): string {
  const url = new URL(readUrl('SERVICE_URL', text, 'https:'));
  return url.username === '' && url.password === '' ? url.href : fail('SERVICE_URL must not contain a user name');
}

function readFile(name: string, text: string): string {
  const file = path.resolve(text);
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? file : fail(`${name}=${text} is not a file`);
}

/** The public servers of drand. They are asked only for rounds of boxes that name it. */
const DRAND_URLS = 'https://api.drand.sh,https://drand.cloudflare.com';

const readBeaconUrls = (text: string): string[] =>
  text === 'off' ? [] : listOf(text).map((url) => readUrl('BEACON_URLS', url, 'https:', 'http:'));

/** A demonstration has a log, unless it is switched off. A live deployment has one once it names a folder. */
function readPublicLog(env: NodeJS.ProcessEnv, mode: string, dataDir: string): Config['publicLog'] {
  if (mode === 'demo')
    return readCount('PUBLIC_LOG', env.PUBLIC_LOG || '1', 0, 1) === 1
      ? { folder: path.join(dataDir, 'log'), policyFile: null }
      : null;
  if (!env.LOG_DIR) return env.LOG_POLICY ? fail('LOG_POLICY without LOG_DIR') : null;
  const folder = path.resolve(env.LOG_DIR);
  if (!path.relative(dataDir, folder).startsWith('..'))
    fail('LOG_DIR must be outside of DATA_DIR, whose keys and copies must not include the log’s');
  if (!env.LOG_POLICY) fail('LOG_DIR needs LOG_POLICY: a file that names the witnesses, or `quorum none`');
  return { folder, policyFile: readFile('LOG_POLICY', env.LOG_POLICY ?? '') };
}

/** A practice platform is a demonstration that has only customers of another platform. */
function readPracticeOf(env: NodeJS.ProcessEnv, mode: string): Config['practiceOf'] {
  const [origin, key] = [env.PRACTICE_OF, env.PRACTICE_KEY];
  if (!origin) return key ? fail('PRACTICE_KEY without PRACTICE_OF') : null;
  if (mode === 'live') fail('PRACTICE_OF makes a platform of play money; SATHORN_MODE=live is for real money');
  const bytes = Buffer.from(key ?? '', 'base64');
  if (bytes.length !== 32)
    fail(
      'PRACTICE_KEY must be the real platform’s key for tickets: it prints the key when it starts with PRACTICE_URL',
    );
  return { origin: readOrigin('PRACTICE_OF', origin), key: bytes.toString('hex') };
}

/** Two platforms at one origin would share what the browser keeps: sessions, device keys and evidence. */
function readPracticeUrl(
  env: NodeJS.ProcessEnv,
  { baseUrl, port, runsPractice }: Pick<Config, 'baseUrl' | 'port' | 'runsPractice'>,
): string | null {
  const own = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  const url = env.PRACTICE_URL || (runsPractice ? `http://${own?.hostname ?? 'localhost'}:${port + 1}` : null);
  if (url === null) return null;
  if (url === own?.origin) fail('PRACTICE_URL must be another origin than BASE_URL');
  return readOrigin('PRACTICE_URL', url);
}

function readRunsPractice(env: NodeJS.ProcessEnv, mode: string, port: number): boolean {
  const runs = readCount('PRACTICE', env.PRACTICE || '0', 0, 1) === 1;
  if (runs && mode === 'live')
    fail('PRACTICE=1 is a demonstration’s; a live deployment starts its practice platform by itself, as PRACTICE_URL');
  if (runs && port === 0) fail('PRACTICE=1 needs a PORT: the practice platform has the next one');
  return runs;
}

/** Reads the settings. An empty variable, as compose files set it, counts as not set. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const mode = env.SATHORN_MODE ?? 'demo';
  if (mode !== 'demo' && mode !== 'live') fail(`SATHORN_MODE=${mode}; it is demo or live`);
  if (mode === 'live' && env.DEMO_PEOPLE === '1') fail('DEMO_PEOPLE makes people of a demonstration');
  if (mode === 'live' && env.REPLAY) fail('REPLAY plays recorded prices; a live deployment has none');
  if (mode === 'live' && !(env.SMS_URL && env.SMTP_URL))
    fail('SATHORN_MODE=live needs SMS_URL and SMTP_URL: codes must reach their customers');
  const brand = brandNamed(env.BRAND || DEFAULT_BRAND) ?? fail(`BRAND=${env.BRAND}: there is no such brand`);
  const standby = env.STANDBY_INDEX || (mode === 'live' ? '1' : '0');
  const people = env.DEMO_PEOPLE || (mode === 'demo' && !env.DATABASE_URL ? '1' : '0');
  const port = readCount('PORT', env.PORT || '3000', 0, 65_535);
  const dataDir = path.resolve(env.DATA_DIR || './data');
  const baseUrl = env.BASE_URL || `http://localhost:${port}`;
  const practiceOf = readPracticeOf(env, mode as string);
  const runsPractice = readRunsPractice(env, mode as string, port);
  const practiceUrl = readPracticeUrl(env, { baseUrl, port, runsPractice });
  if (practiceOf !== null && practiceUrl !== null) fail('PRACTICE_OF: a practice platform has none of its own');
  if (env.PRICES && (env.PRICES !== 'live' || practiceOf === null))
    fail('PRICES is live or not set, and only for a practice platform');
  return {
    port,
    host: env.HOST || 'localhost',
    dataDir,
    practiceUrl,
    runsPractice,
    practiceOf,
    publicLog: practiceOf === null ? readPublicLog(env, mode as string, dataDir) : null,
    databaseUrl: env.DATABASE_URL ? readUrl('DATABASE_URL', env.DATABASE_URL, 'postgres:', 'postgresql:') : null,
    natsUrl: env.NATS_URL ? readNatsUrls(env.NATS_URL) : null,
    mode: mode as Config['mode'],
    brand,
    roles: readRoles(env.ROLES),
    standbyIndex: readCount('STANDBY_INDEX', standby, 0, 1) === 1,
    strangersApart: readCount('PROCESSES', env.PROCESSES || '2', 1, 2) === 2,
    replay: env.REPLAY ? readFolder('REPLAY', env.REPLAY) : null,
    hasLivePrices: mode === 'live' || env.PRICES === 'live',
    simSeed: env.SIM_SEED || null,
    demoPeople: practiceOf === null && readCount('DEMO_PEOPLE', people, 0, 1) === 1,
    proxyHops: readCount('TRUST_PROXY', env.TRUST_PROXY || '0', 0, 100),
    baseUrl,
    serviceUrl: env.SERVICE_URL ? readServiceUrl(env.SERVICE_URL) : null,
    pushContact: env.PUSH_CONTACT ? readUrl('PUSH_CONTACT', env.PUSH_CONTACT, 'https:', 'mailto:') : null,
    consoleUrl: readConsoleUrl(env, mode),
    deviceKeys: readCount('DEVICE_KEYS', env.DEVICE_KEYS || '0', 0, 1) === 1,
    bankFeed: readBankFeed(env),
    bankFile: env.BANK_FILE ? readFile('BANK_FILE', env.BANK_FILE) : null,
    allowedOrigins: [
      // The host that customers use, because some proxies do not forward it.
      ...(env.BASE_URL
        ? [readOrigin('BASE_URL', URL.canParse(env.BASE_URL) ? new URL(env.BASE_URL).origin : env.BASE_URL)]
        : []),
      ...listOf(env.ALLOWED_ORIGINS).map((text) => readOrigin('ALLOWED_ORIGINS', text)),
    ],
    rateLimit: env.RATE_LIMIT ? readCount('RATE_LIMIT', env.RATE_LIMIT, 1, 999_999_999) : null,
    metricsToken: env.METRICS_TOKEN || null,
    licenceOfOptions: env.LICENCE_OPTIONS?.trim() || null,
    licenceOfContracts: env.LICENCE_CONTRACTS?.trim() || null,
    licenceOfEarning: env.LICENCE_EARNING?.trim() || null,
    asksConsent: mode === 'live' || env.ASK_CONSENT === '1',
    licenceOfBoxes: env.LICENCE_BOXES?.trim() || null,
    beaconUrls: readBeaconUrls(env.BEACON_URLS || (mode === 'live' ? DRAND_URLS : 'off')),
    inviteCodes: listOf(env.INVITE_CODES),
    chain: practiceOf === null ? readChain(env, mode as Config['mode']) : null,
    houseAddresses: readAddresses('HOUSE_ADDRESSES', env.HOUSE_ADDRESSES),
    treasuryColdOwners: readAddresses('TREASURY_COLD_OWNERS', env.TREASURY_COLD_OWNERS),
    sms: env.SMS_URL
      ? {
          url: readUrl('SMS_URL', env.SMS_URL, 'https:', 'http:'),
          token: env.SMS_TOKEN ?? '',
          from: env.SMS_FROM || brand.title,
        }
      : null,
    mail: env.SMTP_URL
      ? {
          url: readUrl('SMTP_URL', env.SMTP_URL, 'smtp:', 'smtps:'),
          from: env.MAIL_FROM || `${brand.title} <no-reply@localhost>`,
        }
      : null,
  };
}
