import { assertDatabaseServer, connectionOf, openDatabase, type Queries, statement } from './database/index.ts';
import {
  fileOfSecret,
  SECRETS_CHANGED_BY_ROTATION,
  type SecretName,
  type Secrets,
  secretFingerprintsOf,
} from './secrets.ts';

/**
 * Each start sets the logins' passwords, and the simulator's seed may change. Published keys are compared elsewhere.
 */
const NOT_COMPARED: readonly SecretName[] = [
  'databaseOwner',
  'databaseApp',
  'databaseIndex',
  'databaseChecker',
  'databaseSigner',
  'databaseLog',
  'simSeed',
  ...SECRETS_CHANGED_BY_ROTATION,
];

const HAS_TABLE = statement('secrets.has_table', `SELECT to_regclass('proofs.secret_fingerprint') IS NOT NULL AS has`);
const NAMES = statement(
  'secrets.known_names',
  `SELECT name FROM proofs.secret_fingerprint
   UNION SELECT CASE use WHEN 'index' THEN 'indexKey' ELSE 'receiptKey' END FROM proofs.key WHERE use IN ('index', 'receipt')`,
);
const KNOWN = statement(
  'secrets.known',
  'SELECT DISTINCT ON (name) name, fingerprint FROM proofs.secret_fingerprint ORDER BY name, since DESC',
);
const NOTE = statement('secrets.note', 'INSERT INTO proofs.secret_fingerprint (name, fingerprint) VALUES ($1, $2)');

/**
 * The names of the secrets that the database of `DATABASE_URL` has seen; a start never generates these again. An
 * embedded database cannot be read without its password, but its folder shows that secrets existed.
 */
export async function secretsSeenByDatabase(databaseUrl: string | null): Promise<string[]> {
  if (databaseUrl === null) return [];
  await assertDatabaseServer(connectionOf(databaseUrl));
  const database = openDatabase(connectionOf(databaseUrl), { connections: 1 });
  try {
    const [table] = await database.query<{ has: boolean }>(HAS_TABLE);
    return table?.has === true ? (await database.query<{ name: string }>(NAMES)).map(({ name }) => name) : [];
  } finally {
    await database.close();
  }
}

/** Stores fingerprints of new secrets; throws if a secret differs from the known one. Needs the owner's login. */
export async function assertKnownSecrets(database: Queries, secrets: Secrets, dataDir: string): Promise<void> {
  const rows = await database.query<{ name: string; fingerprint: string }>(KNOWN);
  const known = new Map(rows.map(({ name, fingerprint }) => [name, fingerprint]));
  const own = Object.entries(secretFingerprintsOf(secrets)).filter(
    ([name]) => !NOT_COMPARED.includes(name as SecretName),
  );
  const others = own.filter(([name, fingerprint]) => (known.get(name) ?? fingerprint) !== fingerprint);
  if (others.length > 0)
    throw new Error(
      `${others.map(([name]) => `${fileOfSecret(dataDir, name as SecretName)} has another ${name} than this database knows`).join(', ')}: ` +
        'put back the file that was here before. Only if it is lost for good: npm run rotate-keys -- --replaced ' +
        `${others[0]?.[0]}`,
    );
  for (const [name, fingerprint] of own) if (!known.has(name)) await database.query(NOTE, [name, fingerprint]);
}

/** Accepts the current secret as the replacement of a lost one, on the owner's word. */
export async function markSecretReplaced(database: Queries, secrets: Secrets, name: string): Promise<void> {
  const fingerprint = new Map(Object.entries(secretFingerprintsOf(secrets))).get(name);
  if (fingerprint === undefined || NOT_COMPARED.includes(name as SecretName))
    throw new Error(`${name} is not a secret that the database compares`);
  await database.query(NOTE, [name, fingerprint]);
}
