export { type Contracts, openContracts } from './open-contracts.ts';
