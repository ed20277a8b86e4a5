import { readOutbox } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import type { DemoOutbox } from './demo-outbox.ts';

/** Demo mode only: a live deployment has no readable outbox. */
export function readOutboxHandler(outbox: DemoOutbox): Handler {
  return handle(readOutbox, async ({ request }) => {
    const rows = await outbox.read(request.to ?? null);
    return accept(
      rows.map(({ contact, kind, text, code, at }) => ({ to: contact, kind, text, code, at: at.toISOString() })),
    );
  });
}
