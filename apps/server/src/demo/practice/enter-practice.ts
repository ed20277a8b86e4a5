import { enterPractice } from '@sathorn/api';
import { judgePracticeTicket } from '@sathorn/proof';
import { accept, refuse } from '@sathorn/settlement';
import { uuidOfName } from '../../ledger/index.ts';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { giveDemoMoney } from '../demo/index.ts';
import type { PracticeDependencies } from './practice.ts';

/** A new practice account starts with 10,000 USDT. */
const FIRST_UNITS = 10_000_000_000n;

export function enterPracticeHandler({ practiceOf, origin, ledger, customers }: PracticeDependencies): Handler {
  return handle(enterPractice, async ({ request, client, now }) => {
    if (practiceOf === null) return refuse('practice_not_offered');
    const ticket = await judgePracticeTicket(request.ticket, {
      origin,
      publicKeyHex: practiceOf.key,
      nowMs: now.getTime(),
    });
    if (typeof ticket === 'string') return refuse(ticket);
    const taken = await customers.practice.take(ticket, now);
    if (!taken.ok) return taken;
    const account = taken.effect;
    // The same intent each time, so the first money comes once, also after a crash before it.
    await giveDemoMoney(
      ledger,
      { to: account, asset: 'USDT', units: FIRST_UNITS, isPractice: true },
      { id: uuidOfName(`practice ${account}`), digest: 'practice' },
    );
    return accept(await customers.practice.signIn(account, client, request.device, now));
  });
}
