import { approveCertification } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { answerCase } from './answer-case.ts';
import type { ReviewModule } from './view-case.ts';

export function approveCertificationHandler(room: ReviewModule): Handler {
  return handle(approveCertification, async ({ operator, request: { id, version, masked, note }, now }) => {
    const isMasked = masked === 'true';
    const done = await room.reviews.approve(
      operator,
      { id, version, isMasked, ...(note !== undefined && { note }) },
      now,
    );
    return done.ok ? answerCase(room, operator, id, now) : done;
  });
}
