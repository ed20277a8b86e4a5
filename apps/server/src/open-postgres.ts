import type { Config } from './config.ts';
import {
  assertServer,
  type Connection,
  connectionOf,
  declareMode,
  migrate,
  ownLogin,
  startEmbeddedPostgres,
} from './database/index.ts';
import type { Secrets } from './secrets.ts';

export interface Postgres {
  readonly app: Connection;
  readonly checker: Connection;
  /** Whether the server itself runs; a database of somebody else's is believed to. */
  isUp(): boolean;
  stop(): Promise<void>;
}

/** The server of `DATABASE_URL`, or one of our own as a child; migrated, with a connection for each role. */
export async function openPostgres(config: Config, secrets: Secrets, say: (line: string) => void): Promise<Postgres> {
  const [app, checker] = [secrets.databaseApp.toString('hex'), secrets.databaseChecker.toString('hex')];
  if (config.databaseUrl) {
    const owner = connectionOf(config.databaseUrl);
    await assertServer(owner);
    await migrate(owner);
    await declareMode(owner, config.mode);
    return {
      app: await ownLogin(owner, 'sathorn_app', app),
      checker: await ownLogin(owner, 'sathorn_checker', checker),
      isUp: () => true,
      stop: async () => undefined,
    };
  }
  const embedded = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    password: secrets.databaseOwner.toString('hex'),
    say,
  });
  try {
    await migrate(embedded.owner, { app, checker });
    await declareMode(embedded.owner, config.mode);
  } catch (error) {
    await embedded.stop();
    throw error;
  }
  return {
    app: { ...embedded.owner, user: 'sathorn_app', password: app },
    checker: { ...embedded.owner, user: 'sathorn_checker', password: checker },
    isUp: () => embedded.pid() !== null,
    stop: () => embedded.stop(),
  };
}
