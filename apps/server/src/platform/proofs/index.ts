import './hash-natively.ts';

export * from './acknowledge.ts';
export * from './key-store.ts';
export { type RestorationRow, readRestorations } from './list-restorations.ts';
export * from './open-proofs.ts';
export * from './own-keys.ts';
export * from './promise-store.ts';
export * from './rotate-key.ts';
export * from './signer.ts';
