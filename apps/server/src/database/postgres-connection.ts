/** Where and as whom to connect; the fields are those of `pg`. */
export interface Connection {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /** Server options of the session, as `-c name=value`. */
  readonly options?: string;
}

export function connectionOf(url: string): Connection {
  const parsed = new URL(url);
  return {
    host: parsed.searchParams.get('host') ?? decodeURIComponent(parsed.hostname || 'localhost'),
    port: Number(parsed.searchParams.get('port') ?? (parsed.port || '5432')),
    database: decodeURIComponent(parsed.pathname.slice(1)) || 'postgres',
    user: decodeURIComponent(parsed.username),
    password: decodeURIComponent(parsed.password),
    ...(parsed.searchParams.has('options') && { options: parsed.searchParams.get('options') ?? '' }),
  };
}

/** The inverse, for handing a connection to a child process. */
export function urlOf(connection: Connection): string {
  const query = new URLSearchParams({
    host: connection.host,
    port: String(connection.port),
    ...(connection.options && { options: connection.options }),
  });
  const user = encodeURIComponent(connection.user);
  // The host is in the query, where a socket's path may stand; the one before the path is only for the grammar.
  return `postgres://${user}:${encodeURIComponent(connection.password)}@host/${connection.database}?${query}`;
}
