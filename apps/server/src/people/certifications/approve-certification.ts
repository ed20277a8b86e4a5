import { approveCertification } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { ReviewModule } from './view-certification-case.ts';
import { viewDecidedCase } from './view-decided-case.ts';

export function approveCertificationHandler(room: ReviewModule): Handler {
  return handle(approveCertification, async ({ operator, request: { id, version, masked, note }, now }) => {
    const isMasked = masked === 'true';
    const done = await room.reviews.approve(
      operator,
      { id, version, isMasked, ...(note !== undefined && { note }) },
      now,
    );
    return done.ok ? viewDecidedCase(room, operator, id, now) : done;
  });
}
