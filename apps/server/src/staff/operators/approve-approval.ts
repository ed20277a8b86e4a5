import { approveApproval } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { decide } from './decide.ts';
import type { Room } from './room.ts';

export function approveApprovalHandler(room: Room): Handler {
  return handle(approveApproval, async ({ operator, request: { id, fingerprint, note }, now }) =>
    decide(room, operator, { id, fingerprint, decision: 'approve', note }, now),
  );
}
