import type { ApprovalView } from '@sathorn/api';

/** Returns the name of the requester: an operator, the operator who owns the voting key, or a customer. */
export const askerName = ({ made_by: by, kind, reason }: ApprovalView, customer: string): string =>
  by?.work_name ?? (kind === 'voting_key' ? (reason?.split(':')[0] ?? '') : customer);
