import * as v from 'valibot';
import { decisionNote, staffMember, stepUpId } from './admin-fields.ts';
import { call } from './call.ts';
import { decimalText, id, isoTime, noFields } from './fields.ts';
import { PROPOSED_REFUSALS } from './refusals.ts';

const customer = v.object({ id: v.string(), username: v.string() });

const unexplained = v.object({
  chain: v.string(),
  hash: v.string(),
  /**
   * `out`: our token left the wallet. `sweep`: it came from a deposit address and waits for its credit. `transaction`:
   * anything else that one of our addresses has sent. `booking`: decided but not booked yet.
   */
  kind: v.picklist(['out', 'sweep', 'transaction', 'booking']),
  sender: v.string(),
  receiver: v.nullable(v.string()),
  /** In USDT; for a `transaction` in the smallest units of the chain's own coin. */
  amount: v.string(),
  block_height: v.string(),
  at: v.nullable(isoTime),
  withdrawals: v.array(v.object({ id: v.string(), order_number: v.string(), step: v.string(), customer })),
  payees: v.array(v.object({ name: v.string(), customer })),
  /** The approval that needs another person. */
  approval: v.nullable(v.object({ id: v.string(), made_by: v.nullable(staffMember) })),
});

export const readRestoration = call('GET /admin/restoration/info', {
  who: 'operator',
  roles: ['compliance', 'finance', 'admin'],
  summary: 'After a restoration: what the chain knows and the books do not, what waits, and whether it can be ended.',
  request: noFields,
  result: v.object({
    /** Null if no restoration waits for its reconciliation; then no payout is held back. */
    open: v.nullable(v.object({ id: v.string(), since: isoTime, ends_at: isoTime, known_at: isoTime })),
    /** Chains that have not been read to their end since the restoration. */
    unread: v.array(v.string()),
    items: v.array(unexplained),
    /** Money that came to addresses that no customer in these books has. */
    forgotten: v.array(
      v.object({
        hash: v.string(),
        address: v.string(),
        index: v.number(),
        sender: v.string(),
        amount: decimalText,
        at: isoTime,
      }),
    ),
    approval: v.nullable(v.object({ id: v.string(), made_by: v.nullable(staffMember) })),
  }),
});

export const endRestoration = call('POST /admin/restoration/end', {
  who: 'operator',
  roles: ['finance', 'compliance'],
  summary:
    'Say that the books are reconciled with the chain. Confirmed by `step_up`. When another person agrees, payouts, sweeps and new addresses go on.',
  request: v.object({ id, note: decisionNote, step_up: stepUpId }),
  result: v.object({ approval: v.string() }),
  refusals: ['restoration_ended', 'restoration_unexplained', 'already_waiting', ...PROPOSED_REFUSALS],
});
