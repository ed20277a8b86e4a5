import { useProofKeys } from '../parts/receipt/use-proof-keys.ts';

/**
 * Draws nothing: sees the published keys before they sign an order, so that one which turns up only in a receipt stands
 * out.
 */
export default function KeepKeys() {
  useProofKeys();
  return null;
}
