import { HDKey } from '@scure/bip32';
import { TEST_SEED } from '../../testing-chain.ts';
import { depositKeysOf } from './signer-keys.ts';

/** Of the addresses below TEST_XPUB. */
export const TEST_DEPOSIT_KEY = depositKeysOf(HDKey.fromMasterSeed(TEST_SEED).derive("m/44'/60'/0'"));
