import { type FactorResetLine, listFactorResets } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import type { FactorResetEvidence } from '../../people/customers/index.ts';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { ConsoleModule } from './console.ts';

export function viewFactorResetLine(row: FactorResetEvidence['row'], username: string): FactorResetLine {
  return {
    id: row.id,
    customer: { id: String(row.customer), username },
    asked_at: row.asked_at.toISOString(),
    due_at: row.due_at.toISOString(),
    state: row.state,
    ended_at: row.ended_at?.toISOString() ?? null,
    stopped_by: row.stopped_by,
  };
}

export function listFactorResetsHandler({ customers }: ConsoleModule): Handler {
  return handle(listFactorResets, async ({ request: { status = 'waiting' } }) => {
    const rows = await customers.factorResets(status === 'waiting');
    const items = await Promise.all(
      rows.map(async (row) => viewFactorResetLine(row, (await customers.read(row.customer))?.username ?? '')),
    );
    return accept({ items });
  });
}
