import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { subtract } from '@sathorn/money';
import { type AuthorisedWithdrawal, keyIdOf, refuseAuthorisation, type StoredAuthorisation } from '@sathorn/proof';
import { countsAsSpent, type PayoutsBefore, type PayoutWait, payoutWaitsFor } from '@sathorn/settlement';
import type { PayoutBudget } from './payout-budget.ts';

/** A withdrawal as the signer reads it, with the authorisation that is stored beside it. */
export interface AuthorisedPayout extends AuthorisedWithdrawal {
  readonly people: number;
  readonly taken: bigint;
  /** True if its address has, or had, a role of the house. */
  readonly isHouse: boolean;
  /** False from a restoration until two people have reconciled the books with the chain. */
  readonly isReconciled: boolean;
  readonly authorisation: StoredAuthorisation | null;
}

/** The required content of an approval: it must contain these members. */
export interface ApprovalCriteria {
  readonly kinds: readonly string[];
  readonly subject: string;
  readonly members: Readonly<Record<string, string | null>>;
}

/** The checker's last message: the sequence up to which it has scanned, and whether it is free of findings. */
export interface CheckerVerdict {
  readonly sequence: bigint;
  readonly isClear: boolean;
}

export interface PayoutGuard {
  /**
   * Returns why a payout waits, or null. With `isNext`, a payout that need not wait is written into the budget and must
   * be signed. Without it, the payout is only checked.
   */
  admit(payout: AuthorisedPayout, isNext: boolean): Promise<PayoutWait | null>;
  /** Why a line of a payment run waits, or null. One person examined it; the chain counts the owners. */
  admitLine(payout: AuthorisedPayout): Promise<PayoutWait | null>;
  /** The same for a return, which needs two people and a checker without findings. */
  admitReturn(agreeable: ApprovalCriteria): Promise<PayoutWait | null>;
  /** True if two people agreed to exactly this. */
  isAgreed(agreeable: ApprovalCriteria): Promise<boolean>;
  /** True while the checker sends messages and has no finding. */
  isClear(): boolean;
}

interface PayoutGuardDependencies {
  readonly trust: AuthorisationTrust;
  readonly budget: PayoutBudget;
  /** The number of different operators who agreed to exactly this. */
  readonly approvedBy: (agreeable: ApprovalCriteria) => Promise<number>;
  /** Null if the checker has been silent for a minute. */
  readonly word: () => CheckerVerdict | null;
  readonly alarm: (what: string) => void;
}

/** The keys that sign authorisations, as first seen, and the time from which each request must have one. */
interface AuthorisationTrust {
  readonly keys: readonly { readonly id: string; readonly publicKeyHex: string }[];
  readonly sinceMs: number;
}
const TRUST_FILE = 'authorisation.json';
const NOTHING_BEFORE: PayoutsBefore = { hour: 0n, day: 0n, newAddress: null };

/**
 * Reads the trusted keys from a file of this signer. The first key is trusted on first use. A later, different key is
 * refused, because an attacker who could change the server's key could sign for anybody.
 */
export function pinAuthorisationKey(folder: string, publicKeyHex: string, now = new Date()): AuthorisationTrust {
  const file = path.join(folder, TRUST_FILE);
  if (!existsSync(file)) {
    writeFileSync(`${file}.new`, `${JSON.stringify({ keys: [publicKeyHex], since: now.toISOString() })}\n`, {
      mode: 0o600,
    });
    renameSync(`${file}.new`, file);
  }
  const { keys, since } = JSON.parse(readFileSync(file, 'utf8')) as { keys: string[]; since: string };
  if (!keys.includes(publicKeyHex))
    throw new Error(
      `${file} doesn't know the key ${publicKeyHex} that this server signs authorisations with: nothing is paid. If it was changed on purpose, add it to "keys".`,
    );
  return { keys: keys.map((key) => ({ id: keyIdOf(key), publicKeyHex: key })), sinceMs: Date.parse(since) };
}

export function openPayoutGuard({ trust, budget, approvedBy, word, alarm }: PayoutGuardDependencies): PayoutGuard {
  const authorisationOf = async (payout: AuthorisedPayout): Promise<'valid' | 'from_before' | 'wrong'> => {
    const refusal = await refuseAuthorisation(payout.authorisation, payout, trust.keys);
    if (refusal === null) return 'valid';
    if (refusal === 'authorisation_missing' && payout.atMs < trust.sinceMs) return 'from_before';
    alarm(`withdrawal ${payout.withdrawal} has no valid authorisation: ${refusal}`);
    return 'wrong';
  };
  const votesOf = (payout: AuthorisedPayout): Promise<number> =>
    approvedBy({
      kinds: ['withdrawal', 'payout_release'],
      subject: payout.withdrawal,
      members: {
        id: payout.withdrawal,
        customer: payout.customer,
        channel: payout.channel,
        amount: String(payout.amount.units),
        fee: String(payout.fee.units),
        payee: payout.payee,
        chain: payout.chain,
        address: payout.address,
      },
    });
  const waitsOf = async (payout: AuthorisedPayout, votes: number, before: PayoutsBefore): Promise<PayoutWait | null> =>
    payoutWaitsFor({
      units: subtract(payout.amount, payout.fee).units,
      isReconciled: payout.isReconciled,
      people: payout.people,
      taken: payout.taken,
      isHouse: payout.isHouse,
      authorisation: await authorisationOf(payout),
      votes,
      word: word(),
      before,
      limits: budget.limits,
    });
  return {
    async admit(payout, isNext) {
      const { withdrawal: id, address, amount, fee } = payout;
      const votes = await votesOf(payout);
      const waits = await waitsOf(payout, votes, budget.before({ id, address }));
      const { units } = subtract(amount, fee);
      if (waits === null && isNext) budget.book({ id, address, units }, countsAsSpent({ votes }));
      return waits;
    },
    async admitLine(payout) {
      const examined = { ...payout, people: Math.min(payout.people, 1) };
      const waits = await waitsOf(examined, await votesOf(payout), NOTHING_BEFORE);
      // The budget is that of the hot wallet.
      return waits === 'budget' ? null : waits;
    },
    async admitReturn(agreeable) {
      const said = word();
      if (said !== null && !said.isClear) return 'finding';
      if (said === null) return 'checker';
      return (await approvedBy(agreeable)) >= 2 ? null : 'votes';
    },
    isAgreed: async (agreeable) => (await approvedBy(agreeable)) >= 2,
    isClear: () => word()?.isClear === true,
  };
}
