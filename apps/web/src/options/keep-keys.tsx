import { useProofKeys } from '../parts/receipt/use-proof-keys.ts';

/**
 * Renders nothing: stores the published keys before they sign an order, so that a key which appears only in a receipt
 * is noticed.
 */
export default function KeepKeys() {
  useProofKeys();
  return null;
}
