export * from './banks.ts';
export * from './documents.ts';
export * from './person-names.ts';
export * from './typed-date.ts';
export * from './typed-text.ts';
export * from './wallet-address.ts';
