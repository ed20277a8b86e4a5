export type { BooksDependencies } from './books.ts';
export { openCoinCovers } from './coin-covers.ts';
export { readNewestSums } from './liability-store.ts';
export { openBooks } from './open-books.ts';
export { openLiabilities } from './open-liabilities.ts';
