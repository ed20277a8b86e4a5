import { accept, type Decision } from '@sathorn/settlement';
import type { AccountKey, Funds, Transfer, VotedKind } from '../../ledger/index.ts';
import type { Queries } from '../../platform/database/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import type { AuditLog, NewAuditEntry } from './audit.ts';

interface VoteCommand {
  readonly operator: OperatorSession;
  readonly note: string | undefined;
}

/** A vote that counts, with the result of the check before it. */
interface Voted<Command, Found, Cast> {
  readonly command: Command;
  readonly found: Found;
  readonly cast: Cast;
}

interface VotedParts<Command, Row, Found, Cast, Refusal extends string> {
  /** Such as `withdrawals.decide`. */
  readonly name: string;
  /** The accounts of the house that may pay. */
  accounts(command: Command): readonly AccountKey[];
  /** Locks the row that is voted on. The ledger's lock is held already; whoever takes both takes it first. */
  lock(transaction: Queries, command: Command): Promise<Row>;
  /** Checks everything that may refuse except the vote, because a vote cannot be taken back. Writes nothing. */
  check(transaction: Queries, command: Command, row: Row, funds: Funds): Promise<Decision<Found, Refusal>>;
  /** Casts the vote. A refused vote writes nothing. */
  vote(transaction: Queries, command: Command, found: Found): Promise<Decision<Cast, Refusal>>;
  /** The transfers that follow; none while more votes are needed. */
  transfers(voted: Voted<Command, Found, Cast>): readonly Transfer[];
  /** Writes the rows that follow from the vote. */
  advance(
    transaction: Queries,
    voted: Voted<Command, Found, Cast> & { readonly journal: string },
  ): readonly Promise<unknown>[];
  /** The entry for the operators' log. */
  entry(voted: Voted<Command, Found, Cast> & { readonly journal: string }): Omit<NewAuditEntry, 'operator' | 'note'>;
}

const isSame = (one: AccountKey, other: AccountKey): boolean =>
  one.owner === other.owner && one.name === other.name && one.asset === other.asset;

/**
 * A movement of money that an operator's vote decides: check, then vote, then move. The vote, the transfers, the rows
 * and the log entry are one transaction under the ledger's lock, so of two simultaneous votes exactly one is the last.
 */
export function votedKind<Command extends VoteCommand, Row, Found, Cast, Refusal extends string>(
  audit: AuditLog,
  { name, accounts, lock, check, vote, transfers, advance, entry }: VotedParts<Command, Row, Found, Cast, Refusal>,
): VotedKind<Command, Decision<Voted<Command, Found, Cast>, Refusal>, null, Refusal> {
  return {
    name,
    customer: () => null,
    accounts,
    async vote(transaction, command, funds) {
      const checked = await check(transaction, command, await lock(transaction, command), funds);
      if (!checked.ok) return checked;
      const found = checked.effect;
      const cast = await vote(transaction, command, found);
      return cast.ok ? accept({ command, found, cast: cast.effect }) : cast;
    },
    decide(command, funds, { context }) {
      if (!context.ok) return context;
      const moved = transfers(context.effect);
      for (const account of accounts(command)) {
        const units = moved.reduce(
          (sum, one) => sum + (one.kind === 'single' && isSame(one.debit, account) ? one.units : 0n),
          0n,
        );
        // Others of this batch may have taken the money since the check. Throwing takes the vote back.
        if (units > funds.available(account))
          throw new Error(`${name}: ${account.name} has too little ${account.asset}`);
      }
      return accept({ transfers: moved, answer: null });
    },
    write: (transaction, { accepted, context }) =>
      accepted.flatMap(({ command: { operator, note }, intent }) => {
        if (!context.ok) throw new Error(`${name} was accepted that was refused`);
        const voted = { ...context.effect, journal: intent.id };
        return [
          ...advance(transaction, voted),
          audit.append(transaction, { operator, ...entry(voted), ...(note !== undefined && { note }) }),
        ];
      }),
  };
}
