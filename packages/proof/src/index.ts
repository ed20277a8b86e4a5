export * from './canonical.ts';
export * from './hash.ts';
export * from './index-price.ts';
export * from './signature.ts';
export * from './tick.ts';
