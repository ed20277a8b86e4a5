import { listCertifications } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { type ReviewModule, viewCertificationItem } from './view-certification-case.ts';

const PAGE = 30;

export function listCertificationsHandler(room: ReviewModule): Handler {
  return handle(listCertifications, async ({ request: { level = null, status = 'review', page = '' } }) => {
    const [ms = '', id = ''] = page.split('.');
    const after = id === '' ? null : { at: new Date(Number(ms)), id };
    const rows = await room.reviews.list({ level, isWaiting: status === 'review', after, limit: PAGE + 1 });
    const shown = rows.slice(0, PAGE);
    const last = shown.at(-1);
    return accept({
      items: await Promise.all(shown.map((row) => viewCertificationItem(room, row))),
      next: rows.length > PAGE && last ? `${last.submitted_at.getTime()}.${last.id}` : null,
      counts: { review: (await room.reviews.counts()).waiting },
    });
  });
}
