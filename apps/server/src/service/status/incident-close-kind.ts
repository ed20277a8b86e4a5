import type { ApprovalKind } from '../../staff/operators/index.ts';
import { closeIncidentRow, insertIncidentUpdate } from './incident-store.ts';

/** Closes an outage when a second person has approved the closing text. */
export const incidentCloseKind: ApprovalKind = {
  async apply(transaction, { id, subject, content }, operator) {
    const { texts } = JSON.parse(content) as { texts: Record<string, string> };
    if (!(await insertIncidentUpdate(transaction, { incident: subject, by: operator.id, texts }))) return false;
    return closeIncidentRow(transaction, subject, id);
  },
  customerOf: () => null,
};
