export {
  type Chain,
  openPayees,
  type PayeeHolder,
  type PayeeSnapshot,
  type Payees,
  type PayeesDependencies,
} from './open-payees.ts';
