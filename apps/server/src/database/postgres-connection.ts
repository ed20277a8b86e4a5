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
  };
}

/** The inverse, for handing a connection to a child process. */
export function urlOf(connection: Connection): string {
  const query = new URLSearchParams({ host: connection.host, port: String(connection.port) });
  const user = encodeURIComponent(connection.user);
  return `postgres://${user}:${encodeURIComponent(connection.password)}@/${connection.database}?${query}`.replace('@/', '@db/');
}
