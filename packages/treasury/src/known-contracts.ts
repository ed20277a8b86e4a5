/** `MultiSendCallOnly` of Safe 1.5.0, which its authors deployed at this address on every network. */
export const MULTI_SEND_CALL_ONLY = '0xa83c336b20401af773b6219ba5027174338d1836';
/** The same contract on the local chain of a demo. */
export const LOCAL_MULTI_SEND_CALL_ONLY = '0xdaea48310d04af4a7beb2efc42f07259aaf5957d';
const LOCAL_CHAIN_ID = 31_337;

/**
 * True if a payment run may hand the Safe to this contract. A delegate call lets its code do anything with the Safe, so
 * whoever signs takes the address from nobody.
 */
export const isKnownMultiSend = (address: string, chainId: number): boolean =>
  address === MULTI_SEND_CALL_ONLY || (chainId === LOCAL_CHAIN_ID && address === LOCAL_MULTI_SEND_CALL_ONLY);
