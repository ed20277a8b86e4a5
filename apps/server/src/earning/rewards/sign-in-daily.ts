import { signInDaily } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Rewards } from './rewards.ts';

export function signInDailyHandler(rewards: Rewards): Handler {
  return handle(signInDaily, ({ customer, intent }) => rewards.signIn(customer.id, intent));
}
