export * from './asset.ts';
export * from './coin.ts';
export * from './decimal.ts';
export * from './money.ts';
export * from './price.ts';
export * from './rate.ts';
export * from './rounding.ts';
