import type { OptionReceipt } from '@sathorn/api';

/** Saves the receipt in the file format of the command-line verifier. */
export function downloadReceipt(id: string, receipt: OptionReceipt): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([`${JSON.stringify(receipt, null, 2)}\n`], { type: 'application/json' }));
  link.download = `option-${id}.receipt.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
