import type { ApprovalView } from '@sathorn/api';

export const given = ({ votes }: ApprovalView): number => votes.filter(({ decision }) => decision === 'approve').length;
