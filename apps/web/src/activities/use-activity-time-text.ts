import type { Activity } from '@sathorn/api';
import { formatDate } from '@sathorn/text';
import { useText } from '@sathorn/ui';

/** Formats the time until which an activity runs, or when it ended, in the customer's language. */
export function useActivityTimeText(): (activity: Pick<Activity, 'to' | 'is_over'>) => string {
  const { t, presentation } = useText<'activities'>();
  return ({ to, is_over }) => {
    if (to === null) return t('activities.open_end');
    const date = formatDate(to, 'dateTime', presentation);
    return is_over ? t('activities.ended', { date }) : t('activities.until', { date });
  };
}
