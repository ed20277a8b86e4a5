import { formatDate, type Language } from '@sathorn/text';
import { translate } from '@sathorn/text/server';
import type { UpcomingRules } from './rules.ts';

const saidOf = ({ from, content }: UpcomingRules, language: Language, timeZone: string) => ({
  from: formatDate(from.toISOString(), 'dateTime', { language }, timeZone),
  title: content(language).split('\n', 1)[0] ?? '',
});

export const rulesNoteOf = (next: UpcomingRules, language: Language, timeZone: string): string =>
  translate(language, 'rules.changed.text', saidOf(next, language, timeZone));
export const rulesNoteTitleOf = (next: UpcomingRules, language: Language, timeZone: string): string =>
  translate(language, 'rules.changed.title', saidOf(next, language, timeZone));
