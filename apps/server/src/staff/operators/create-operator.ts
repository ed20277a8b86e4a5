/**
 * `npm run operator -- create NAME ROLE[,ROLE]` creates an operator and prints the one-time secret for enrolment. `npm
 * run operator -- renew NAME` does so for an operator who lost all devices while fewer than two other administrators
 * could decide about it. `npm run operator -- trust NAME` makes the passkeys of the first administrators count for
 * votes, by writing them into the files of signer and checker. It reads DATABASE_URL and DATA_DIR, like the platform.
 * It connects as the database's owner: the application has no right to create operators, so an intruder in it cannot
 * create a second approver.
 */
import path from 'node:path';
import { OPERATOR_ROLES, type OperatorRole } from '@sathorn/api';
import { voterIdOf } from '@sathorn/proof';
import { type Database, openDatabase, ownerConnection } from '../../platform/database/index.ts';
import { secretsSeenByDatabase } from '../../platform/known-secrets.ts';
import { readSecrets } from '../../platform/secrets.ts';
import { readConfig } from '../../process/config.ts';
import { ENROLMENT_HOURS, newEnrolmentSecret } from './enrolment.ts';
import { enrolmentHashOf } from './enrolment-code.ts';
import { operatorKeysOf } from './operator-keys.ts';
import { createOperatorRow, findOperator, renewAccessAsOwner } from './operator-store.ts';
import { relyingPartyOf } from './passkeys.ts';
import { pinVoterKeys, readPasskeyVoters } from './pin-voters.ts';

const USAGE = `usage: npm run operator -- create NAME ROLE[,ROLE]   (roles: ${OPERATOR_ROLES.join(', ')})
       npm run operator -- renew NAME
       npm run operator -- trust NAME`;

const dataDir = path.resolve(process.env.DATA_DIR || './data');
const connection = () => ownerConnection({ databaseUrl: process.env.DATABASE_URL || null, dataDir });

async function issue(what: string, store: (owner: Database, hash: Buffer) => Promise<unknown>): Promise<void> {
  const owner = openDatabase(connection(), { connections: 1 });
  try {
    const secret = newEnrolmentSecret();
    await store(owner, enrolmentHashOf(secret));
    console.log(`${what} may begin within ${ENROLMENT_HOURS} hours at /console, with this one-time secret:`);
    console.log(secret);
  } finally {
    await owner.close();
  }
}

async function create(name: string, roles: readonly string[]): Promise<void> {
  if (!/^[a-z][a-z0-9.-]{1,19}$/.test(name))
    throw new Error('a work name has 2 to 20 small letters, digits, dots or dashes');
  const unknown = roles.filter((role) => !OPERATOR_ROLES.includes(role as OperatorRole));
  if (roles.length === 0 || unknown.length > 0) throw new Error(`unknown role: ${unknown.join(', ')}\n${USAGE}`);
  await issue(`${name} (${roles.join(', ')})`, (owner, hash) =>
    createOperatorRow(owner, name, roles as OperatorRole[], hash, ENROLMENT_HOURS),
  );
}

/**
 * Makes the operator's passkeys count for votes. It accepts only passkeys that this platform has sealed, so that a
 * planted row has no effect.
 */
async function trust(name: string): Promise<void> {
  const config = readConfig(process.env);
  const owner = openDatabase(connection(), { connections: 1 });
  try {
    const operator = await findOperator(owner, name);
    if (!operator?.is_active) throw new Error(`there is no operator ${name}`);
    const keys = operatorKeysOf(
      readSecrets(dataDir, { existed: await secretsSeenByDatabase(config.databaseUrl) }).sessionKey,
    );
    const party = relyingPartyOf(config.brand.title, config.consoleUrl ?? config.baseUrl);
    const found = (await readPasskeyVoters({ owner, keys, party })).filter(
      (voter) => voter.operator === String(operator.id),
    );
    if (found.length === 0)
      throw new Error(`${name} has no passkey yet: they add one on their own page of the console`);
    await pinVoterKeys({ owner, connection: connection(), dataDir, mode: config.mode }, found);
    for (const { key, name: passkey, roles } of found)
      console.log(`votes of ${name} (${roles.join(', ')}) count by the passkey "${passkey}": key ${voterIdOf(key)}`);
  } finally {
    await owner.close();
  }
}

const [command, name, roles, ...rest] = process.argv.slice(2);
try {
  if (name === undefined || rest.length > 0) throw new Error(USAGE);
  if (command === 'create' && roles !== undefined) await create(name, roles.split(','));
  else if (command === 'renew' && roles === undefined)
    await issue(name, (owner, hash) => renewAccessAsOwner(owner, name, hash, ENROLMENT_HOURS));
  else if (command === 'trust' && roles === undefined) await trust(name);
  else throw new Error(USAGE);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
