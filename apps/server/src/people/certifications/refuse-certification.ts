import { refuseCertification } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { ReviewModule } from './view-case.ts';

export function refuseCertificationHandler({ reviews }: ReviewModule): Handler {
  return handle(refuseCertification, async ({ operator, request: { id, version, reason, note }, now }) => {
    const asked = await reviews.proposeRefusal(
      operator,
      { id, version, reason, ...(note !== undefined && { note }) },
      now,
    );
    return asked.ok ? accept({ approval: asked.effect.id, fingerprint: asked.effect.fingerprint }) : asked;
  });
}
