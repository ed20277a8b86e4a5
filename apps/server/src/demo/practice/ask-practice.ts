import { randomBytes } from 'node:crypto';
import { askPractice } from '@sathorn/api';
import { PRACTICE_TICKET_MS, writePracticeTicket } from '@sathorn/proof';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { PracticeDependencies } from './practice.ts';

/** The ticket is in the fragment, which browsers send to no server and in no Referer. */
const ENTRANCE = '/#/pages/practice/enter';

export function askPracticeHandler({ practiceUrl, ticketSeed, database, customers }: PracticeDependencies): Handler {
  return handle(askPractice, async ({ customer, language, now }) => {
    if (practiceUrl === null) return refuse('practice_not_offered');
    if (await customers.isFrozen(database, customer.id, 'trading')) return refuse('account_frozen');
    const ticket = writePracticeTicket(
      {
        origin: practiceUrl,
        who: customers.practice.pseudonymOf(customer.id),
        language,
        untilMs: now.getTime() + PRACTICE_TICKET_MS,
        nonce: randomBytes(16).toString('hex'),
      },
      ticketSeed,
    );
    return accept({ url: `${practiceUrl}${ENTRANCE}?${new URLSearchParams({ language, ticket })}` });
  });
}
