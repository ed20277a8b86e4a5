export { openCoinCovers } from './coin-covers.ts';
export { type BooksDependencies, openBooks } from './open-books.ts';
