import { checksumAddress } from '@sathorn/identity';

/** keccak256("Transfer(address,address,uint256)"). */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const BALANCE_OF = '0x70a08231';
const TRANSFER_CALL = '0xa9059cbb';

const word = (hex: string): string => hex.padStart(64, '0');
const wordOf = (address: string): string => word(address.slice(2).toLowerCase());

/** Encodes a quantity for JSON-RPC. */
export const hexQuantityOf = (value: bigint | number): string => `0x${value.toString(16)}`;
export const numberOfHex = (hex: string): number => Number(BigInt(hex));

export const balanceCallData = (address: string): string => BALANCE_OF + wordOf(address);
export const transferCallData = (to: string, units: bigint): string =>
  TRANSFER_CALL + wordOf(to) + word(units.toString(16));

export interface TransferEvent {
  readonly from: string;
  readonly to: string;
  readonly units: bigint;
}

/** Undefined when the event is not an ERC-20 transfer. Transfers of NFTs (ERC-721) have four topics. */
export function transferEventOf(log: {
  readonly topics: readonly string[];
  readonly data: string;
}): TransferEvent | undefined {
  const [kind, from, to] = log.topics;
  if (kind !== TRANSFER_TOPIC || from === undefined || to === undefined || log.topics.length !== 3) return undefined;
  if (!/^0x[0-9a-fA-F]{64}$/.test(log.data)) return undefined;
  return { from: `0x${from.slice(26).toLowerCase()}`, to: `0x${to.slice(26).toLowerCase()}`, units: BigInt(log.data) };
}

/** The address in mixed case, which is a checksum against mistyped characters (EIP-55). */
export const checksumAddressOf = checksumAddress;
