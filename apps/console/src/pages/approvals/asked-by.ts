import type { ApprovalView } from '@sathorn/api';

/** The person who asks: an operator, the operator whose voting key it is, or a customer. */
export const askedBy = ({ made_by: by, kind, reason }: ApprovalView, customer: string): string =>
  by?.work_name ?? (kind === 'voting_key' ? (reason?.split(':')[0] ?? '') : customer);
