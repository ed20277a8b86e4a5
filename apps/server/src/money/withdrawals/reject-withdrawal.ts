import { rejectWithdrawal } from '@sathorn/api';
import type { Decision } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { DecideWithdrawal } from './approve-withdrawal.ts';

export function rejectWithdrawalHandler(decide: DecideWithdrawal): Handler {
  return handle(rejectWithdrawal, async ({ request, operator, intent, now }) => {
    const decided = await decide(request, { decision: 'reject', reason: request.reason, operator, intent, now });
    return decided as Decision<Extract<typeof decided, { ok: true }>['effect'], never>;
  });
}
