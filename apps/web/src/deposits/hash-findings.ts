/** What is asked of a transaction, in the order in which the server looks. */
export const HASH_QUESTIONS = ['exists', 'succeeded', 'usdt', 'address'] as const;
export type HashQuestion = (typeof HASH_QUESTIONS)[number];
export type Finding = 'yes' | 'no' | 'not_looked_at';

/** Which question a refusal answers with no: those before it were answered with yes. */
const REFUSED_AT: Readonly<Record<string, HashQuestion>> = {
  hash_unknown: 'exists',
  hash_failed: 'succeeded',
  hash_other_token: 'usdt',
  hash_other_address: 'address',
  hash_of_another: 'address',
};

/** What was found of a transaction that is not the customer's deposit; null for a refusal that says nothing of it. */
export function hashFindings(refusal: string): { question: HashQuestion; finding: Finding }[] | null {
  const refusedAt = REFUSED_AT[refusal];
  if (refusedAt === undefined) return null;
  const at = HASH_QUESTIONS.indexOf(refusedAt);
  return HASH_QUESTIONS.map((question, place) => ({
    question,
    finding: place < at ? 'yes' : place === at ? 'no' : 'not_looked_at',
  }));
}

/** What was pasted, without the blanks and line breaks that come along. */
export const pastedHash = (text: string): string => text.replace(/\s/g, '');

/** As the specification has it: at least 60 letters and digits. */
export const isHash = (text: string): boolean => /^[A-Za-z0-9]{60,128}$/.test(text);
