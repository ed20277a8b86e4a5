import type { OperatorRole } from '@sathorn/api';
import type { Database } from '../../platform/database/index.ts';
import { newAuthenticatorKey } from './authenticator.ts';
import { newEnrolmentSecret, storeNewCredentials } from './enrolment.ts';
import { enrolmentHashOf } from './enrolment-code.ts';
import { createOperatorRow, findOperator } from './operator-store.ts';
import type { OperatorsModule } from './operators.ts';

/**
 * The demo's operators. Their passwords are public and their codes are shown, so they must never exist in a live
 * deployment: they are created only in a database that was declared a demo.
 */
export const DEMO_OPERATORS: readonly {
  readonly workName: string;
  readonly roles: readonly OperatorRole[];
  readonly password: string;
}[] = [
  { workName: 'mai', roles: ['support'], password: 'Rajini-Pier-41' },
  { workName: 'ploy', roles: ['compliance'], password: 'Charoen-Krung-9' },
  { workName: 'tan', roles: ['compliance'], password: 'Saphan-Taksin-3' },
  { workName: 'korn', roles: ['finance'], password: 'Silom-Square-28' },
  { workName: 'fah', roles: ['finance'], password: 'Lumphini-Gate-6' },
  { workName: 'bua', roles: ['content'], password: 'Wat-Yannawa-52' },
  { workName: 'arun', roles: ['admin'], password: 'Oriental-Pier-1' },
  { workName: 'dao', roles: ['admin'], password: 'Chong-Nonsi-77' },
];

/** Idempotent: existing operators are not changed. `owner` creates the operators, `module` their credentials. */
export async function enrolDemoOperators(
  owner: Database,
  module: Pick<OperatorsModule, 'keys' | 'hasher'>,
  now: Date,
): Promise<void> {
  await owner.transaction(async (transaction) => {
    const made: { readonly id: bigint; readonly password: string }[] = [];
    for (const { workName, roles, password } of DEMO_OPERATORS) {
      if (await findOperator(transaction, workName)) continue;
      const hash = enrolmentHashOf(newEnrolmentSecret());
      made.push({ id: await createOperatorRow(transaction, workName, roles, hash, 0), password });
    }
    // Runs in parallel, because hashing a password occupies a core for a moment.
    await Promise.all(
      made.map(({ id, password }) =>
        storeNewCredentials(module, transaction, id, { password, key: newAuthenticatorKey(), usedStep: 0 }, now),
      ),
    );
  });
}
