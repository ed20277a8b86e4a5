export { listContractsHandler } from './list-contracts.ts';
export { listFillsHandler } from './list-fills.ts';
export { listTradesHandler } from './list-trades.ts';
export { type Contracts, openContracts } from './open-contracts.ts';
export { placeContractHandler } from './place-contract.ts';
export { readBookHandler } from './read-book.ts';
export { readContractHandler } from './read-contract.ts';
export { readContractTermsHandler } from './read-contract-terms.ts';
export { revokeContractHandler } from './revoke-contract.ts';
