export { type ChainConfig, chainViewOf, type TreasuryPlace, walletsOf } from './chain-config.ts';
export {
  type Block,
  type ChainReader,
  type ChooseItems,
  type CoinTransfer,
  type EventLog,
  openChainReader,
  type TokenTransfer,
  type TransactionReceipt,
  tokenTransfersOf,
} from './chain-reader.ts';
export { type DepositAddresses, hasDepositAddresses, openDepositAddresses } from './deposit-addresses.ts';
export {
  balanceCallData,
  checksumAddressOf,
  hexQuantityOf,
  numberOfHex,
  TRANSFER_TOPIC,
  transferCallData,
  transferEventOf,
} from './erc20.ts';
export {
  custodyAddressesAmong,
  declareHouseAddresses,
  type HouseAddress,
  type HouseWallets,
  houseAddressesAmong,
  readHouseWallets,
} from './house-addresses.ts';
export {
  hasLocalChain,
  LOCAL_CHAIN_FILE,
  type LocalChain,
  readLocalChainState,
  startLocalChain,
} from './local-chain.ts';
export { openLocalToken, prepareLocalToken, TEST_TOKEN } from './local-token.ts';
export { openRpc, type Rpc, RpcFault, RpcRefusal } from './rpc.ts';
