import { type Activity, pictureUrl } from '@sathorn/api';
import type { Language } from '@sathorn/text';
import type { ShelfEntry } from './content-shelf.ts';

export const ACTIVITY_KINDS = ['activity', 'welfare'] as const;

export function viewActivity(
  { entry, kind, settings, from, to, words }: ShelfEntry,
  language: Language,
  now: Date,
): Activity {
  const { title, summary } = words(language);
  return {
    id: entry,
    kind: kind === 'welfare' ? 'welfare' : 'activity',
    title,
    summary,
    picture: settings.picture === '' ? '' : pictureUrl(settings.picture),
    from: from.toISOString(),
    to: to?.toISOString() ?? null,
    is_over: to !== null && to <= now,
  };
}
