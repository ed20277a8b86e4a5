export { openPayees } from './open-payees.ts';
export type { PayeeChain, PayeeHolder, PayeeSnapshot, Payees, PayeesDependencies } from './payees.ts';
