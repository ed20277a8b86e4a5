import { randomUUID } from 'node:crypto';
import { openMoneyDispute } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { UUID } from './calls.ts';
import { countOpenCases, insertMoneyDispute } from './case-store.ts';
import type { DisputesDependencies } from './disputes.ts';
import { readDisputedSubject } from './money-evidence.ts';
import type { MoneyReview } from './review-money.ts';

/** The deadline that the customer is promised. */
const DEADLINE_MS = 7 * 86_400_000;
/** Open disputes per customer: each takes two people's time. The database has the same limit. */
const OPEN_MAX = 5;
/** SQLSTATE of the database's own check. */
const TOO_MANY = 'DI003';

export function openMoneyDisputeHandler(module: DisputesDependencies, review: MoneyReview): Handler {
  const { database, messages, onFault } = module;
  return handle(openMoneyDispute, async ({ customer, request: { kind, id: subject, reason }, now, language }) => {
    const found = UUID.test(subject) ? await readDisputedSubject(module, customer.id, kind, subject) : null;
    if (found === null) return refuse('dispute_subject_unknown', { field: 'id' });
    const [newest] = await review.cases.listOf(database, customer.id, null, 1, subject);
    if (newest && newest.state !== 'closed') return refuse('dispute_open');
    if ((await countOpenCases(database, customer.id)) >= OPEN_MAX) return refuse('disputes_too_many');
    const deadline = new Date(now.getTime() + DEADLINE_MS);
    const id = randomUUID();
    const isNew = await insertMoneyDispute(database, {
      id,
      customer: customer.id,
      subject_kind: kind,
      subject,
      statement: reason,
      language,
      opened_at: now,
      deadline,
    }).catch((error: unknown) => {
      if ((error as { code?: unknown }).code === TOO_MANY) return null;
      throw error;
    });
    if (isNew === null) return refuse('disputes_too_many');
    if (!isNew) return refuse('dispute_open');
    const params = { order: found.order, deadline_at: deadline.toISOString() };
    await messages.send(customer.id, 'money_dispute_opened', params, now, id).catch(onFault);
    const row = await review.cases.find(database, id);
    if (!row) throw new Error(`dispute ${id} is gone`);
    return accept(await review.own(row));
  });
}
