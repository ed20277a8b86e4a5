export * from './book.ts';
export * from './book-events.ts';
export * from './contract-units.ts';
export * from './order.ts';
