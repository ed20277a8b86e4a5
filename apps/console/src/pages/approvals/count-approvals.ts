import type { ApprovalView } from '@sathorn/api';

export const countApprovals = ({ votes }: ApprovalView): number =>
  votes.filter(({ decision }) => decision === 'approve').length;
