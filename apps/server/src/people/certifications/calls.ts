import {
  listCustomerCertifications,
  openCertificationPicture,
  readCertificationPicture,
  refuseCertification,
} from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { listApplicationHistory } from './certification-store.ts';
import { type ReviewModule, viewCertificationItem } from './view-certification-case.ts';

export const reviewCalls = (module: ReviewModule): Handler[] => [
  handle(listCustomerCertifications, async ({ request: { id } }) => {
    const rows = await listApplicationHistory(module.database, BigInt(id));
    return accept(await Promise.all(rows.map((row) => viewCertificationItem(module, row))));
  }),
  handle(openCertificationPicture, async ({ operator, request: { id, picture }, now }) => {
    const opened = await module.reviews.open(operator, id, picture, now);
    if (!opened.ok) return opened;
    const { ticket, expiresAt, left } = opened.effect;
    const url = `/api/admin/certifications/picture?ticket=${ticket}`;
    return accept({ url, expires_at: expiresAt.toISOString(), left });
  }),
  /** The address alone shows nothing: the request must also carry the operator's token in a header. */
  handle(readCertificationPicture, async ({ operator, request: { ticket }, now }) => {
    const picture = await module.reviews.look(operator, ticket, now);
    if (picture === null) return refuse('picture_unknown', { field: 'ticket' });
    return accept({ data_url: `data:image/webp;base64,${picture.toString('base64')}` });
  }),
  handle(refuseCertification, async ({ operator, request: { id, version, reason, note }, now }) => {
    const asked = await module.reviews.proposeRefusal(
      operator,
      { id, version, reason, ...(note !== undefined && { note }) },
      now,
    );
    return asked.ok ? accept({ approval: asked.effect.id, fingerprint: asked.effect.fingerprint }) : asked;
  }),
];
