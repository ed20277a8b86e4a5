export * from './book.ts';
export * from './book-events.ts';
export * from './order.ts';
