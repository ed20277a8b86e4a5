/** The checks of a transaction, in the server's order. */
const TRANSACTION_CHECKS = ['exists', 'succeeded', 'usdt', 'address'] as const;
type TransactionCheck = (typeof TRANSACTION_CHECKS)[number];
export type CheckFinding = 'yes' | 'no' | 'not_looked_at';

/**
 * The results of the four checks that each refusal implies. A transaction to another customer's address may have moved
 * any token, so its token is not checked.
 */
const FINDINGS: Readonly<Record<string, readonly [CheckFinding, CheckFinding, CheckFinding, CheckFinding]>> = {
  hash_unknown: ['no', 'not_looked_at', 'not_looked_at', 'not_looked_at'],
  hash_failed: ['yes', 'no', 'not_looked_at', 'not_looked_at'],
  hash_other_token: ['yes', 'yes', 'no', 'not_looked_at'],
  hash_other_address: ['yes', 'yes', 'not_looked_at', 'no'],
  hash_of_another: ['yes', 'yes', 'not_looked_at', 'no'],
};

/**
 * The results of the checks for a transaction that is not the customer's deposit; null for a refusal that implies none.
 */
export function transactionChecksOf(refusal: string): { question: TransactionCheck; finding: CheckFinding }[] | null {
  const findings = FINDINGS[refusal];
  if (!findings) return null;
  return TRANSACTION_CHECKS.map((question, place) => ({ question, finding: findings[place] ?? 'not_looked_at' }));
}

/** The specification's format: at least 60 letters and digits. */
export const isTransactionHash = (text: string): boolean => /^[A-Za-z0-9]{60,128}$/.test(text);
