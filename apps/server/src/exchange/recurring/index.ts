export { openRecurring } from './open-recurring.ts';
export type { Recurrings } from './recurring.ts';
export { lockRecurring } from './recurring-store.ts';
