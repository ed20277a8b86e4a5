export { openPayees } from './open-payees.ts';
export type { Chain, PayeeHolder, PayeeSnapshot, Payees, PayeesDependencies } from './payees.ts';
