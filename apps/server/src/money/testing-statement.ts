import { formatDecimal, parseMoney } from '@sathorn/money';

export type TestLine = readonly [number: string, amount: string, reference: string];

/** Statements of one account; each continues the one before. */
export class TestStatements {
  #from = new Date(Date.now() - 60_000);
  #opening = 10_000_000n;
  #next: { readonly to: Date; readonly closing: bigint } | null = null;

  readonly account = '000-0-00000-0';

  text(lines: readonly TestLine[], over: { readonly opening?: string; readonly closing?: string } = {}): string {
    const to = new Date(Math.max(Date.now(), this.#from.getTime() + 1));
    const units = (amount: string): bigint => {
      const parsed = parseMoney('THB', amount.replace('-', ''))?.units ?? 0n;
      return amount.startsWith('-') ? -parsed : parsed;
    };
    // Two equal rows count as one line.
    const once = new Map(lines.map((line) => [line.join(), line[1]]));
    const closing = [...once.values()].reduce((sum, amount) => sum + units(amount), this.#opening);
    this.#next = { to, closing };
    return [
      `account,${this.account}`,
      `from,${this.#from.toISOString()}`,
      `to,${to.toISOString()}`,
      `opening,${over.opening ?? formatDecimal(this.#opening, 2)}`,
      `closing,${over.closing ?? formatDecimal(closing, 2)}`,
      'bank_reference,at,amount,payer,reference',
      ...lines.map(([number, amount, reference]) => `${number},${to.toISOString()},${amount},PAYER,${reference}`),
    ].join('\n');
  }

  /** Tells that the newest text was imported, so that the next one continues it. */
  kept(): { readonly to: Date; readonly closing: string } {
    if (!this.#next) throw new Error('no statement was made');
    const { to, closing } = this.#next;
    [this.#from, this.#opening, this.#next] = [to, closing, null];
    return { to, closing: formatDecimal(closing, 2) };
  }
}

export function statementFile(text: string): FormData {
  const form = new FormData();
  form.set('image', new Blob([text], { type: 'text/csv' }), 'statement.csv');
  return form;
}
