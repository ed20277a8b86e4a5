export { openStanding } from './open-standing.ts';
export type { StandingOrders } from './standing.ts';
export { lockStanding } from './standing-store.ts';
