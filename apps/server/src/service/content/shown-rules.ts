import type { Brand } from '@sathorn/brand';
import type { Language } from '@sathorn/text';
import type { Content } from './content.ts';
import type { Rules, RulesSubject } from './rules.ts';
import { rulesNoteOf } from './rules-note.ts';

/** The text in force in this language, and the next one that is announced. */
export function shownRulesOf(
  rules: Pick<Rules, 'content' | 'upcoming'>,
  { timeZone }: Pick<Brand, 'timeZone'>,
  of: RulesSubject,
  language: Language,
): ReturnType<Content['shownRules']> {
  const next = rules.upcoming(of);
  return {
    content: rules.content(of, language),
    next: next && {
      from: next.from.toISOString(),
      note: rulesNoteOf(next, language, timeZone),
      content: next.content(language),
    },
  };
}
