import { ed25519Signer } from './signer.ts';

interface OwnKey {
  readonly use: 'index' | 'receipt' | 'authorisation';
  readonly publicKeyHex: string;
}

/** The public keys of the private keys in the data folder. */
export const ownProofKeys = (secrets: {
  readonly indexKey: Buffer;
  readonly receiptKey: Buffer;
  readonly authorisationKey: Buffer;
}): OwnKey[] => [
  { use: 'index', publicKeyHex: ed25519Signer(secrets.indexKey).publicKeyHex },
  { use: 'receipt', publicKeyHex: ed25519Signer(secrets.receiptKey).publicKeyHex },
  { use: 'authorisation', publicKeyHex: ed25519Signer(secrets.authorisationKey).publicKeyHex },
];
