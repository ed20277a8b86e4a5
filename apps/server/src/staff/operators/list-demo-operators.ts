import { listDemoOperators } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { CODE_STEP_SECONDS, codeOfStep, codeStepAt } from './authenticator.ts';
import { DEMO_OPERATORS } from './demo-operators.ts';
import { findOperator, readOperatorCredential } from './operator-store.ts';
import type { OperatorsModule } from './operators.ts';

/** Demo mode only: a live deployment has neither this call nor these operators. */
export function listDemoOperatorsHandler({ database, keys }: OperatorsModule): Handler {
  return handle(listDemoOperators, async ({ now }) => {
    const people = await Promise.all(
      DEMO_OPERATORS.map(async ({ workName, password }) => {
        const operator = await findOperator(database, workName);
        const credential = operator && (await readOperatorCredential(database, operator.id));
        if (!operator || !credential) return [];
        const key = keys.open(credential.authenticator, String(operator.id));
        // A code works once, so the next one is shown when the current one is used. The server accepts it half a minute
        // before its time.
        const current = codeStepAt(now);
        const step = Math.max(current, Number(credential.used_step) + 1);
        const secondsLeft = (step + 1) * CODE_STEP_SECONDS - Math.floor(now.getTime() / 1_000);
        return [
          {
            work_name: workName,
            roles: operator.roles,
            password,
            code: codeOfStep(key, step),
            seconds_left: secondsLeft,
          },
        ];
      }),
    );
    return accept(people.flat());
  });
}
