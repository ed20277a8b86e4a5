import { useProofKeys } from '../parts/receipt/use-proof-keys.ts';

/**
 * Renders nothing. Stores the published keys before they sign an order, so that a key that appears only in a receipt is
 * noticed.
 */
export default function KeepKeys() {
  useProofKeys();
  return null;
}
