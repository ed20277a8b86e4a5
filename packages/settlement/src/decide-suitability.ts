/**
 * Decides whether a product seems to suit a customer. Each question has three answers, from `a` (speaks for it) to `c`
 * (speaks against it). An unsuitable result delays the first order; it never hides anything.
 */
export const SUITABILITY_QUESTIONS = ['knowledge', 'experience', 'need', 'share'] as const;
export type SuitabilityQuestion = (typeof SUITABILITY_QUESTIONS)[number];
export const SUITABILITY_ANSWERS = ['a', 'b', 'c'] as const;
type SuitabilityAnswer = (typeof SUITABILITY_ANSWERS)[number];
export type SuitabilityAnswers = Readonly<Record<SuitabilityQuestion, SuitabilityAnswer>>;

interface Suitability {
  readonly finding: 'suitable' | 'unsuitable';
  /** The questions whose answers speak against the product. */
  readonly against: readonly SuitabilityQuestion[];
}

/**
 * A product does not suit people who do not know what they can lose, who need the money soon, or who would put in much
 * of their savings. A lack of experience alone does not count, because everybody begins without any.
 */
export function decideSuitability(answers: SuitabilityAnswers): Suitability {
  const against = SUITABILITY_QUESTIONS.filter((question) =>
    question === 'knowledge' ? answers.knowledge !== 'a' : question !== 'experience' && answers[question] === 'c',
  );
  return { finding: against.length === 0 ? 'suitable' : 'unsuitable', against };
}
