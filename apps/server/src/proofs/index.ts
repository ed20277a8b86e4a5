import './hash-natively.ts';

export * from './key-store.ts';
export * from './list-restorations.ts';
export * from './own-keys.ts';
export * from './read-proof-keys.ts';
export * from './rotate-key.ts';
export * from './signer.ts';
