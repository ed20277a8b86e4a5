export { type BooksDependencies, openBooks } from './open-books.ts';
