export { type Chain, openPayees, type PayeeSnapshot, type Payees, type PayeesDependencies } from './open-payees.ts';
