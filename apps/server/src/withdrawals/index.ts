export { type SignerProcess, startSigner } from './signer/signer-process.ts';
