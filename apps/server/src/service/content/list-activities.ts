import { listActivities } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Content } from './content.ts';
import { ACTIVITY_KINDS, viewActivity } from './view-activity.ts';

export function listActivitiesHandler({ shownTo }: Content): Handler {
  return handle(listActivities, async ({ customer, language, now }) => {
    const shown = await shownTo(customer?.id ?? null, ACTIVITY_KINDS, now, true);
    return accept({ lists: shown.map((one) => viewActivity(one, language, now)) });
  });
}
