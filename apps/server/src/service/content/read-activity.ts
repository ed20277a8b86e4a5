import { readActivity } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Content } from './content.ts';
import { ACTIVITY_KINDS, viewActivity } from './view-activity.ts';

export function readActivityHandler({ shownTo }: Content): Handler {
  return handle(readActivity, async ({ request, customer, language, now }) => {
    const shown = await shownTo(customer?.id ?? null, ACTIVITY_KINDS, now, true);
    const one = shown.find(({ entry }) => entry === request.id);
    if (!one) return refuse('activity_unknown', { field: 'id' });
    return accept({
      ...viewActivity(one, language, now),
      content: one.words(language).body,
      link: one.settings.link,
      changed_at: one.changedAt.toISOString(),
    });
  });
}
