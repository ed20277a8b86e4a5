/**
 * `npm run operator -- create NAME ROLE[,ROLE]` creates an operator and prints the one-time secret for enrolment. Reads
 * DATABASE_URL and DATA_DIR, like the platform. It connects as the database's owner: the application itself has no
 * right to create operators, so an intruder in it cannot create a second approver.
 */
import path from 'node:path';
import { OPERATOR_ROLES, type OperatorRole } from '@sathorn/api';
import { openDatabase, ownerConnection } from '../database/index.ts';
import { ENROLMENT_HOURS, newEnrolmentSecret } from './enrolment.ts';
import { enrolmentHashOf } from './enrolment-code.ts';
import { createOperatorRow } from './operator-store.ts';

const USAGE = `usage: npm run operator -- create NAME ROLE[,ROLE]   (roles: ${OPERATOR_ROLES.join(', ')})`;

async function create(name: string, roles: readonly string[]): Promise<void> {
  if (!/^[a-z][a-z0-9.-]{1,19}$/.test(name))
    throw new Error('a work name has 2 to 20 small letters, digits, dots or dashes');
  const unknown = roles.filter((role) => !OPERATOR_ROLES.includes(role as OperatorRole));
  if (roles.length === 0 || unknown.length > 0) throw new Error(`unknown role: ${unknown.join(', ')}\n${USAGE}`);
  const owner = openDatabase(
    ownerConnection({
      databaseUrl: process.env.DATABASE_URL || null,
      dataDir: path.resolve(process.env.DATA_DIR || './data'),
    }),
    { connections: 1 },
  );
  try {
    const secret = newEnrolmentSecret();
    await createOperatorRow(owner, name, roles as OperatorRole[], enrolmentHashOf(secret), ENROLMENT_HOURS);
    console.log(
      `${name} (${roles.join(', ')}) may begin within ${ENROLMENT_HOURS} hours at /console, with this one-time secret:`,
    );
    console.log(secret);
  } finally {
    await owner.close();
  }
}

const [command, name, roles, ...rest] = process.argv.slice(2);
try {
  if (command !== 'create' || name === undefined || roles === undefined || rest.length > 0) throw new Error(USAGE);
  await create(name, roles.split(','));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
