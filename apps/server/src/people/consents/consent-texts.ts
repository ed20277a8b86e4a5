import { createHash } from 'node:crypto';
import type { ConsentProduct } from '@sathorn/api';
import { SUITABILITY_ANSWERS, SUITABILITY_QUESTIONS, type SuitabilityQuestion } from '@sathorn/settlement';
import type { Language } from '@sathorn/text';
import { translate } from '@sathorn/text/server';

/** Increase a product's version with every change of its texts, so that its customers must consent again. */
export const CONSENT_VERSIONS: Readonly<Record<ConsentProduct, number>> = { options: 2, contracts: 3, earning: 2 };

/** The order in which the answers are shown; the right answer to `knowledge` must not come first. */
const SHOWN: Readonly<Partial<Record<SuitabilityQuestion, readonly ('a' | 'b' | 'c')[]>>> = {
  knowledge: ['b', 'a', 'c'],
};

interface ConsentTexts {
  readonly title: string;
  readonly risks: string[];
  readonly questions: { code: string; text: string; answers: { code: string; text: string }[] }[];
  readonly agree: string;
  readonly send: string;
}

/** The texts and questions of a product in a language. */
export function consentTexts(language: Language, product: ConsentProduct): ConsentTexts {
  const say = (key: string): string => translate(language, `consents.${key}` as 'consents.agree');
  return {
    title: say(`${product}.title`),
    risks: ['risk1', 'risk2', 'risk3'].map((risk) => say(`${product}.${risk}`)),
    questions: SUITABILITY_QUESTIONS.map((question) => {
      const key = question === 'knowledge' ? `${product}.knowledge` : question;
      return {
        code: question,
        text: say(`${key}.question`),
        answers: (SHOWN[question] ?? SUITABILITY_ANSWERS).map((answer) => ({
          code: answer,
          text: say(`${key}.${answer}`),
        })),
      };
    }),
    agree: say('agree'),
    send: say('send'),
  };
}

/** A digest of the exact words that the customer read. */
export const consentTextsHash = (texts: ConsentTexts): Buffer =>
  createHash('sha256').update(JSON.stringify(texts)).digest();
