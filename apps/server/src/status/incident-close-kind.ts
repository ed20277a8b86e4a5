import type { ApprovalKind } from '../operators/index.ts';
import { closeIncidentRow, insertUpdate } from './incident-store.ts';

/** Closes an outage once the second person has approved it with the text that both have seen. */
export const incidentCloseKind: ApprovalKind = {
  async apply(transaction, { id, subject, content }, operator) {
    const { texts } = JSON.parse(content) as { texts: Record<string, string> };
    if (!(await insertUpdate(transaction, { incident: subject, by: operator.id, texts }))) return false;
    return closeIncidentRow(transaction, subject, id);
  },
  customerOf: () => null,
};
