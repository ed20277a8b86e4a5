import { sendBackCertification } from '@sathorn/api';
import type { DocumentSide, RedoReason } from '@sathorn/identity';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { ReviewModule } from './view-certification-case.ts';
import { viewDecidedCase } from './view-decided-case.ts';

export function sendBackCertificationHandler(room: ReviewModule): Handler {
  return handle(sendBackCertification, async ({ operator, request, now }) => {
    const { id, version, reasons, sides = [], note } = request;
    const wanted = {
      id,
      version,
      // The call's schema allows only reasons from these lists.
      reasons: reasons as RedoReason[],
      sides: sides as DocumentSide[],
      ...(note !== undefined && { note }),
    };
    const done = await room.reviews.sendBack(operator, wanted, now);
    return done.ok ? viewDecidedCase(room, operator, id, now) : done;
  });
}
