import { expect, it } from 'vitest';
import { isKnownMultiSend, LOCAL_MULTI_SEND_CALL_ONLY, MULTI_SEND_CALL_ONLY } from './known-contracts.ts';

it.each([
  [MULTI_SEND_CALL_ONLY, 1, true],
  [LOCAL_MULTI_SEND_CALL_ONLY, 31_337, true],
  [LOCAL_MULTI_SEND_CALL_ONLY, 1, false],
  [`0x${'66'.repeat(20)}`, 31_337, false],
])('a run may call %s on chain %i: %s', (address, chainId, isKnown) => {
  expect(isKnownMultiSend(address, chainId)).toBe(isKnown);
});
