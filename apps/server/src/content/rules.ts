import { createHash } from 'node:crypto';
import type { Brand } from '@sathorn/brand';
import type { Language } from '@sathorn/text';
import { translate } from '@sathorn/text/server';

export const RULES = ['options', 'agreement', 'liquidity', 'lockup'] as const;
export type RulesOf = (typeof RULES)[number];

/** Each section has a title and a text in the catalogue: `rules.options.start.title`, `rules.options.start.text`. */
const SECTIONS = {
  options: ['what', 'start', 'result', 'win', 'tie', 'void', 'limits', 'receipt', 'dispute', 'risk'],
  liquidity: ['what', 'days', 'rate', 'rounding', 'example', 'redeem', 'fund', 'receipt', 'changes', 'risk'],
  lockup: ['what', 'days', 'income', 'example', 'end', 'fund', 'receipt', 'risk'],
  agreement: ['parties', 'account', 'security', 'trading', 'money', 'conduct', 'privacy', 'changes', 'risk'],
} as const satisfies Record<RulesOf, readonly string[]>;

/** Values in the sentences. They are hashed with the text, so a changed limit makes a different text. */
export interface RulesParams {
  /** Smallest stake, with its unit. */
  readonly stakeMin: string;
  /** Seconds from the arrival of an order to its acceptance. */
  readonly acceptSeconds: number;
  /** Seconds without a tick that make an order void. */
  readonly gapSeconds: number;
  readonly disputeDays: number;
  /** How much quick redemptions by all customers may take per day, with its unit. */
  readonly quickMax: string;
  /** Days within which a normal redemption arrives. */
  readonly redemptionDays: number;
  /** Days of liquidity's income that the yield account must hold while subscriptions are open. */
  readonly coverDays: number;
}

export interface Rules {
  /** Plain text: numbered headings, with a blank line between sections. */
  content(of: RulesOf, language: Language): string;
  /** SHA-256 in hex of the binding English text. Receipts contain it. */
  hash(of: RulesOf): string;
}

function wordRules(of: RulesOf, language: Language, values: Record<string, string | number>): string {
  const sections = SECTIONS[of].map((section, n) => {
    const title = translate(language, `rules.${of}.${section}.title` as Parameters<typeof translate>[1], values);
    const text = translate(language, `rules.${of}.${section}.text` as Parameters<typeof translate>[1], values);
    return `${n + 1}. ${title}\n${text}`;
  });
  return [translate(language, `rules.${of}.title`, values), ...sections].join('\n\n');
}

export function openRules(brand: Pick<Brand, 'title'>, params: RulesParams): Rules {
  const { stakeMin: min, acceptSeconds: accept, gapSeconds: gap, disputeDays: days } = params;
  const { quickMax: quick, redemptionDays: arrival, coverDays: cover } = params;
  const values = { brand: brand.title, min, accept, gap, days, quick, arrival, cover };
  const hashes = Object.fromEntries(
    RULES.map((of) => [
      of,
      createHash('sha256')
        .update(wordRules(of, 'en', values))
        .digest('hex'),
    ]),
  ) as Record<RulesOf, string>;
  return {
    content: (of, language) => wordRules(of, language, values),
    hash: (of) => hashes[of],
  };
}
