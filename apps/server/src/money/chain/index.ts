export { type Addresses, hasAddresses, openAddresses } from './addresses.ts';
export { type ChainConfig, chainViewOf } from './chain-config.ts';
export {
  type Block,
  type ChainReader,
  type Choose,
  type CoinTransfer,
  type Log,
  type Output,
  openChainReader,
  outputsOf,
  type Receipt,
} from './chain-reader.ts';
export { balanceCall, checksumOf, hexOf, quantityOf, TRANSFER, transferCall, transferOf } from './erc20.ts';
export { declareHouse, type HouseAddress, houseOf, type KnownWallets, keptOf, readWallets } from './house-addresses.ts';
export { hasLocalChain, LOCAL_CHAIN, type LocalChain, readLocalChain, startLocalChain } from './local-chain.ts';
export { openLocalToken, prepareLocalToken, TEST_TOKEN } from './local-token.ts';
export { openRpc, type Rpc, RpcFault, RpcRefusal } from './rpc.ts';
