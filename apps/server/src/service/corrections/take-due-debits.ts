import { money } from '@sathorn/money';
import { accept, decideDebit } from '@sathorn/settlement';
import { customerAccount, houseAccount, type JournalKind, uuidOfName } from '../../ledger/index.ts';
import { type CorrectionRow, finishCorrection, listDueCorrections } from './correction-store.ts';
import type { CorrectionsDependencies } from './corrections.ts';
import { correctionHouseOf, correctionMovesOf } from './prepare-correction.ts';

interface TakeCommand {
  readonly row: CorrectionRow;
  readonly at: Date;
}

/** Takes an announced debit: at most the available balance, so that none falls below zero. There is no second try. */
export const takeDebitKind = ({
  audit,
}: Pick<CorrectionsDependencies, 'audit'>): JournalKind<TakeCommand, { readonly units: string }, never> => ({
  name: 'corrections.take',
  customer: () => null,
  accounts: ({ row: { customer_id: customer, amount, house } }) => [
    customerAccount(customer, amount.asset),
    houseAccount(correctionHouseOf(house), amount.asset),
  ],
  decide: ({ row: { kind, customer_id: customer, amount, house } }, funds) => {
    const { asset } = amount;
    const available = money(asset, funds.available(customerAccount(customer, asset)));
    const { units } = decideDebit(amount, available);
    const moves = correctionMovesOf({ kind, customer, asset, house: correctionHouseOf(house) });
    return accept({
      transfers: units > 0n ? [{ kind: 'single', ...moves, units }] : [],
      answer: { units: String(units) },
    });
  },
  write: (transaction, { accepted }) =>
    accepted.flatMap(({ command: { row, at }, intent, answer }) => {
      const moved = money(row.amount.asset, BigInt(answer.units));
      const journal = moved.units > 0n ? intent.id : null;
      return [
        finishCorrection(transaction, row.id, { moved, journal, at }),
        audit.append(transaction, {
          operator: null,
          what: 'correction.taken',
          on: { kind: 'correction', id: row.id },
          customer: row.customer_id,
          reason: row.reason,
          after: {
            asset: row.amount.asset,
            asked: String(row.amount.units),
            units: String(moved.units),
            journal,
          },
        }),
      ];
    }),
});

/**
 * Takes all due debits. Each has its own journal id, so none is taken twice. The database refuses one that was stopped,
 * which must not block the others.
 */
export async function takeDueDebits(
  { database, ledger, onFault }: Pick<CorrectionsDependencies, 'database' | 'ledger' | 'onFault'>,
  kind: ReturnType<typeof takeDebitKind>,
  now: Date,
): Promise<void> {
  for (const row of await listDueCorrections(database))
    await ledger
      .post(kind, { row, at: now }, { id: uuidOfName(`correct ${row.id}`), digest: kind.name })
      .catch(onFault);
}
