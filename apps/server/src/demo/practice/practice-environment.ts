interface PracticePlace {
  /** The data folder of the platform beside which it runs. */
  readonly dataDir: string;
  readonly port: number;
  readonly url: string;
  /** The origin of that platform, and its public key for tickets, base64. */
  readonly of: string;
  readonly key: string;
  /** With the same seed, both have the same simulated prices. */
  readonly seed: string;
}

/** Settings that the practice platform must not inherit: database, secrets, hosts and bus of the real one. */
const NOT_SHARED = [
  ...['BRANDS', 'CONSOLE_URL', 'DATABASE_URL', 'NATS_URL', 'ROLES', 'SECRETS_DIR', 'CREDENTIALS_DIRECTORY'],
  ...['ALLOWED_ORIGINS', 'PRACTICE', 'PRACTICE_URL'],
];

/** The environment of the practice platform that a demonstration runs beside itself. */
export function practiceEnvironmentOf(
  env: NodeJS.ProcessEnv,
  { dataDir, port, url, of, key, seed }: PracticePlace,
): NodeJS.ProcessEnv {
  return {
    ...env,
    ...Object.fromEntries(NOT_SHARED.map((name) => [name, ''])),
    DATA_DIR: `${dataDir}/practice`,
    PORT: String(port),
    BASE_URL: url,
    PRACTICE_OF: of,
    PRACTICE_KEY: key,
    SIM_SEED: seed,
    // It carries no real money, so it is light.
    PROCESSES: '1',
    STANDBY_INDEX: '0',
  };
}
