import type { OperatorRole } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import type { CustomerRow } from '../../people/customers/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import type { ApprovalKind, ProposalRefusal } from '../../staff/operators/index.ts';
import type { ConsoleModule } from './console.ts';

const DAY_MS = 24 * 60 * 60_000;
const WAITS_MS = 3 * DAY_MS;
const CHECKERS: readonly OperatorRole[] = ['compliance', 'admin'];

/** Includes the customer's inviter, because operators must not decide about people whom they invited. */
const concernedBy = ({ id, invited_by: inviter }: CustomerRow): bigint[] => (inviter === null ? [id] : [id, inviter]);

/** Asks a second operator to end a freeze early or to extend it. Nothing changes until they approve. */
export async function askToChangeFreeze(
  { database, customers, operators }: ConsoleModule,
  operator: OperatorSession,
  asked: { readonly customer: bigint; readonly freeze: string; readonly reason: string; readonly until: Date | null },
  now: Date,
): Promise<
  Decision<
    { approval: string },
    'customer_unknown' | 'freeze_unknown' | 'already_waiting' | 'until_too_far' | ProposalRefusal
  >
> {
  const customer = await customers.read(asked.customer);
  if (!customer) return refuse('customer_unknown', { field: 'id' });
  const freeze = (await customers.freezes(asked.customer)).find(
    ({ id, is_active }) => id === asked.freeze && is_active,
  );
  if (!freeze) return refuse('freeze_unknown', { field: 'freeze' });
  const last = freeze.starts_at.getTime() + 30 * DAY_MS;
  if (asked.until && (asked.until <= freeze.until || asked.until.getTime() > last))
    return refuse('until_too_far', { field: 'until' });
  const kind = asked.until ? 'freeze_extend' : 'freeze_lift';
  return database.transaction(async (transaction) => {
    if (await operators.findWaitingApproval(transaction, kind, freeze.id)) return refuse('already_waiting');
    const opened = await operators.approvals.propose(transaction, operator, {
      kind,
      subject: freeze.id,
      fingerprintOf: {
        customer: String(customer.id),
        username: customer.username,
        scopes: freeze.scopes,
        reason: freeze.reason,
        until_now: freeze.until.toISOString(),
        ...(asked.until && { until: asked.until.toISOString() }),
      },
      roles: CHECKERS,
      about: concernedBy(customer),
      reason: asked.reason,
      expiresAt: new Date(Math.min(now.getTime() + WAITS_MS, freeze.until.getTime())),
    });
    if (!opened.ok) return opened;
    const { id } = opened.effect;
    await operators.audit.append(transaction, {
      operator,
      what: `${kind}.asked`,
      on: { kind: 'customer', id: String(customer.id) },
      customer: customer.id,
      after: { approval: id },
      note: asked.reason,
    });
    return accept({ approval: id });
  });
}

/** Applies the change once the second operator has approved. */
export function freezeChangeKind({ customers }: ConsoleModule): ApprovalKind {
  const contentOf = (text: string) => JSON.parse(text) as { customer: string; until_now: string };
  return {
    async apply(transaction, { id, subject, content }) {
      const { customer, until_now: untilNow } = contentOf(content);
      const freeze = (await customers.freezes(BigInt(customer))).find((one) => one.id === subject);
      // The freeze has ended, or another approval has moved its end.
      if (!freeze?.is_active || freeze.until.toISOString() !== untilNow) return false;
      await customers.changeFreeze(transaction, subject, id);
      return true;
    },
    customerOf: ({ content }) => BigInt(contentOf(content).customer),
  };
}
