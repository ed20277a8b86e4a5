import { HDKey } from '@scure/bip32';
import { TEST_SEED } from '../../testing-chain.ts';
import { depositKeysOf } from './signer-keys.ts';

/** The keys of the addresses derived from TEST_XPUB. */
export const TEST_DEPOSIT_KEY = depositKeysOf(HDKey.fromMasterSeed(TEST_SEED).derive("m/44'/60'/0'"));
