import { cleanText } from './clean-text.ts';

/** A person's name: in one line, with joiners only inside its words. */
export function normaliseName(typed: string): string {
  return cleanText(typed)
    .replace(/\s+/gu, ' ')
    .replace(/(?<![\p{L}\p{M}])[\u200c\u200d]+|[\u200c\u200d]+(?!\p{L})/gu, '')
    .trim();
}
