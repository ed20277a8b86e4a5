/**
 * Does a product seem to suit somebody, by their own answers? Each question has three answers, from `a` (speaks for it)
 * to `c` (speaks against it). An unsuitable finding delays the first order; it never hides anything.
 */
export const SUITABILITY_QUESTIONS = ['knowledge', 'experience', 'need', 'share'] as const;
export type SuitabilityQuestion = (typeof SUITABILITY_QUESTIONS)[number];
export const SUITABILITY_ANSWERS = ['a', 'b', 'c'] as const;
export type SuitabilityAnswer = (typeof SUITABILITY_ANSWERS)[number];
export type SuitabilityAnswers = Readonly<Record<SuitabilityQuestion, SuitabilityAnswer>>;

export interface Suitability {
  readonly finding: 'suitable' | 'unsuitable';
  /** The answers that speak against it. */
  readonly against: readonly SuitabilityQuestion[];
}

/**
 * Unsuitable for who does not know what can be lost, who needs the money soon, or who would put much of their savings
 * in. A lack of experience alone does not count: everybody begins.
 */
export function decideSuitability(answers: SuitabilityAnswers): Suitability {
  const against = SUITABILITY_QUESTIONS.filter((question) =>
    question === 'knowledge' ? answers.knowledge !== 'a' : question !== 'experience' && answers[question] === 'c',
  );
  return { finding: against.length === 0 ? 'suitable' : 'unsuitable', against };
}
