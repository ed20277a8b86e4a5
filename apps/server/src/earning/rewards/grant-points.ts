import type { Money } from '@sathorn/money';
import { accept, type Decision, type RewardPlace, refuse } from '@sathorn/settlement';
import { customerAccount, type JournalKind, type Ledger, type LedgerRefusal, uuidOfName } from '../../ledger/index.ts';
import { type GrantRow, insertGrants } from './reward-store.ts';
import { REWARDS_POINTS_ACCOUNT } from './sign-in-kind.ts';

export interface PointsGrant {
  readonly customer: bigint;
  readonly points: Money<'POINTS'>;
  readonly reason: GrantRow['reason'];
  /** The event that the grant rewards, such as an invitation's id. Granted once per reason and reference. */
  readonly ref: string;
}

interface GrantCommand extends PointsGrant {
  readonly place: RewardPlace;
  readonly at: Date;
}
const grantKind: JournalKind<GrantCommand, null, 'reward_fund_empty'> = {
  name: 'rewards.grant',
  // Frozen customers may receive points.
  customer: () => null,
  accounts: ({ customer, place }) => [REWARDS_POINTS_ACCOUNT, customerAccount(customer, 'POINTS', place)],
  decide: ({ customer, points, place }, funds) =>
    funds.available(REWARDS_POINTS_ACCOUNT) < points.units
      ? refuse('reward_fund_empty')
      : accept({
          transfers: [
            {
              kind: 'single',
              debit: REWARDS_POINTS_ACCOUNT,
              credit: customerAccount(customer, 'POINTS', place),
              units: points.units,
              code: 'points_granted',
            },
          ],
          answer: null,
        }),
  write: (transaction, { accepted }) => [
    insertGrants(
      transaction,
      accepted.map(({ command: { customer, points, reason, ref, at }, intent }) => ({
        id: intent.id,
        customer_id: customer,
        points,
        reason,
        ref,
        at,
      })),
    ),
  ],
};

/** Idempotent by reason and reference. */
export function grantPoints(
  ledger: Ledger,
  grant: PointsGrant,
  place: RewardPlace,
  at: Date,
): Promise<Decision<null, 'reward_fund_empty' | LedgerRefusal>> {
  const { customer, points, reason, ref } = grant;
  const id = uuidOfName(`rewards.grant/${reason}/${customer}/${ref}`);
  return ledger.post(grantKind, { ...grant, place, at }, { id, digest: `${customer}/${points.units}` });
}
