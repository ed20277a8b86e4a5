import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Address and user of a connection; the fields are those of `pg`. */
export interface Connection {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /** Server options of the session, as `-c name=value`. */
  readonly options?: string;
  /**
   * If absent, the connection is not encrypted. The server's certificate is always verified, against the system's roots
   * unless `ca` is given.
   */
  readonly ssl?: { readonly rejectUnauthorized: true; readonly ca?: string };
  /** The file that contains `ssl.ca`. */
  readonly sslRoots?: string;
}

/** The name of a database in files outside it, because one data folder may be used with several databases. */
export const nameOfDatabase = ({ host, port, database }: Pick<Connection, 'host' | 'port' | 'database'>): string =>
  path.isAbsolute(host) ? 'embedded' : `${host}:${port}/${database}`;

/** Modes that guarantee encryption. Modes that silently fall back to plain text are rejected. */
const ENCRYPTED = ['require', 'verify-ca', 'verify-full'];

function sslOf(query: URLSearchParams): Pick<Connection, 'ssl' | 'sslRoots'> {
  const mode = query.get('sslmode') ?? 'disable';
  if (mode === 'disable') return {};
  if (!ENCRYPTED.includes(mode)) throw new Error(`sslmode=${mode}; it is disable or ${ENCRYPTED.join(', ')}`);
  const sslRoots = query.get('sslrootcert');
  if (sslRoots === null || sslRoots === 'system') return { ssl: { rejectUnauthorized: true } };
  return { ssl: { rejectUnauthorized: true, ca: readFileSync(sslRoots, 'utf8') }, sslRoots };
}

export function connectionOf(url: string): Connection {
  const parsed = new URL(url);
  const query = parsed.searchParams;
  return {
    host: query.get('host') ?? decodeURIComponent(parsed.hostname || 'localhost'),
    port: Number(query.get('port') ?? (parsed.port || '5432')),
    database: decodeURIComponent(parsed.pathname.slice(1)) || 'postgres',
    user: decodeURIComponent(parsed.username),
    password: decodeURIComponent(parsed.password),
    ...(query.has('options') && { options: query.get('options') ?? '' }),
    ...sslOf(query),
  };
}

/** The inverse, for passing a connection to a child process. */
export function connectionUrlOf(connection: Connection): string {
  const query = new URLSearchParams({
    host: connection.host,
    port: String(connection.port),
    ...(connection.options && { options: connection.options }),
    ...(connection.ssl && { sslmode: 'verify-full' }),
    ...(connection.sslRoots && { sslrootcert: connection.sslRoots }),
  });
  const user = encodeURIComponent(connection.user);
  // The host is in the query, because it may be a socket's path; the one before the path only makes the URL valid.
  return `postgres://${user}:${encodeURIComponent(connection.password)}@host/${connection.database}?${query}`;
}
