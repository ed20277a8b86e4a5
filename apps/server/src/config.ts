import path from 'node:path';

export const ROLES = ['edge', 'index', 'matcher', 'settler', 'checker'] as const;
export type Role = (typeof ROLES)[number];

export interface Config {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  /** A PostgreSQL server; without it one is started as a child. */
  readonly databaseUrl: string | null;
  /** NATS servers with JetStream, between processes; without them the bus is within this one. */
  readonly natsUrl: string | null;
  readonly mode: 'demo' | 'live';
  readonly roles: ReadonlySet<Role>;
  /** Folder with recorded prices; demo mode only. */
  readonly replay: string | null;
  readonly simSeed: string | null;
  /** How many proxies of ours stand in front. */
  readonly proxyHops: number;
  readonly baseUrl: string;
  /** Whose pages may call besides those that come from the host that is asked. */
  readonly allowedOrigins: readonly string[];
  /** Calls a minute and address; for load tests of one's own server. */
  readonly rateLimit: number | null;
  readonly metricsToken: string | null;
  /** The licence under which options are offered; without one a live deployment doesn't. */
  readonly licenceOfOptions: string | null;
  /** Likewise of contracts. */
  readonly licenceOfContracts: string | null;
  /** Codes by which a live brand's first customers come. */
  readonly inviteCodes: readonly string[];
  readonly sms: { readonly url: string; readonly token: string; readonly from: string } | null;
  readonly mail: { readonly url: string; readonly from: string } | null;
}

/** In a demonstration all products are on; a live deployment sells nothing without the licence that it does so under. */
export function isSellingOptions({ mode, licenceOfOptions }: Pick<Config, 'mode' | 'licenceOfOptions'>): boolean {
  return mode === 'demo' || licenceOfOptions !== null;
}

export function isOfferingContracts({
  mode,
  licenceOfContracts,
}: Pick<Config, 'mode' | 'licenceOfContracts'>): boolean {
  return mode === 'demo' || licenceOfContracts !== null;
}

function fail(message: string): never {
  throw new Error(message);
}

function readPort(text: string | undefined): number {
  const port = Number(text ?? 3000);
  return Number.isInteger(port) && port >= 0 && port < 65_536 ? port : fail(`PORT=${text} is not a port`);
}

function readCount(name: string, text: string | undefined, otherwise: number): number {
  const count = Number(text ?? otherwise);
  return Number.isInteger(count) && count >= 0 ? count : fail(`${name}=${text} is not a count`);
}

function readRoles(text: string | undefined): Set<Role> {
  if (!text) return new Set(ROLES);
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !(ROLES as readonly string[]).includes(name));
  return unknown ? fail(`ROLES names ${unknown}; there are ${ROLES.join(', ')}`) : new Set(names as Role[]);
}

function readOrigin(name: string, text: string): string {
  const origin = text.trim();
  const isOrigin = /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
  return isOrigin ? origin : fail(`${name}: ${text} is no origin like https://app.example`);
}

export function readConfig(env: NodeJS.ProcessEnv): Config {
  const mode = env.SATHORN_MODE ?? 'demo';
  if (mode !== 'demo' && mode !== 'live') fail(`SATHORN_MODE=${mode}; it is demo or live`);
  if (mode === 'live' && env.REPLAY) fail('REPLAY plays recorded prices; a live deployment has none');
  if (mode === 'live' && !(env.SMS_URL && env.SMTP_URL))
    fail('SATHORN_MODE=live needs SMS_URL and SMTP_URL: codes must reach their customers');
  const port = readPort(env.PORT);
  return {
    port,
    host: env.HOST ?? 'localhost',
    dataDir: path.resolve(env.DATA_DIR ?? './data'),
    databaseUrl: env.DATABASE_URL ?? null,
    natsUrl: env.NATS_URL || null,
    mode: mode as Config['mode'],
    roles: readRoles(env.ROLES),
    replay: env.REPLAY ? path.resolve(env.REPLAY) : null,
    simSeed: env.SIM_SEED ?? null,
    proxyHops: readCount('TRUST_PROXY', env.TRUST_PROXY, 0),
    baseUrl: env.BASE_URL ?? `http://localhost:${port}`,
    allowedOrigins: [
      // What customers type, for proxies that do not tell what that was.
      ...(env.BASE_URL
        ? [readOrigin('BASE_URL', URL.canParse(env.BASE_URL) ? new URL(env.BASE_URL).origin : env.BASE_URL)]
        : []),
      ...(env.ALLOWED_ORIGINS?.split(',').filter(Boolean) ?? []).map((text) => readOrigin('ALLOWED_ORIGINS', text)),
    ],
    rateLimit: env.RATE_LIMIT ? readCount('RATE_LIMIT', env.RATE_LIMIT, 0) : null,
    metricsToken: env.METRICS_TOKEN ?? null,
    licenceOfOptions: env.LICENCE_OPTIONS?.trim() || null,
    licenceOfContracts: env.LICENCE_CONTRACTS?.trim() || null,
    inviteCodes: env.INVITE_CODES?.split(',').filter(Boolean) ?? [],
    sms: env.SMS_URL ? { url: env.SMS_URL, token: env.SMS_TOKEN ?? '', from: env.SMS_FROM ?? 'Sathorn' } : null,
    mail: env.SMTP_URL ? { url: env.SMTP_URL, from: env.MAIL_FROM ?? 'Sathorn <no-reply@localhost>' } : null,
  };
}
