import { setTimeout as pause } from 'node:timers/promises';
import { DEMO_CUSTOMER } from '../demo/demo/index.ts';

export interface CustomerAnswer {
  readonly status: number;
  readonly ret: number;
  // The answer's data; only tests access it without a schema.
  readonly data: Record<string, unknown> & { code?: string };
}

/** The demo customer's app: sends a request over HTTP and repeats it with the same key until there is an answer. */
export class TestCustomer {
  readonly #url: string;
  readonly #patienceMs: number;
  #token = '';

  constructor(url: string, patienceMs = 10_000) {
    this.#url = url;
    this.#patienceMs = patienceMs;
  }

  async signIn(): Promise<void> {
    const { username, password } = DEMO_CUSTOMER;
    const { data } = await this.insist('POST /users/login', { username, password });
    this.#token = String(data.token);
  }

  get token(): string {
    return this.#token;
  }

  /** Throws if nothing answers in time. */
  async ask(route: string, form: Record<string, string> = {}, key?: string): Promise<CustomerAnswer> {
    const [method = '', at = ''] = route.split(' ');
    const body = new URLSearchParams(form).toString();
    const response = await fetch(`${this.#url}/api${at}${method === 'GET' && body ? `?${body}` : ''}`, {
      method,
      signal: AbortSignal.timeout(this.#patienceMs),
      headers: {
        token: this.#token,
        ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(key && { 'idempotency-key': key }),
      },
      ...(method === 'POST' && { body }),
    });
    // The signature of what is acknowledged may differ each time, so repeated answers are compared without it.
    const { ret, data } = (await response.json()) as Omit<CustomerAnswer, 'status'>;
    return { status: response.status, ret, data };
  }

  /** Repeats until the request is accepted or refused for good. Needs a key if it moves money. */
  async insist(route: string, form: Record<string, string> = {}, key?: string): Promise<CustomerAnswer> {
    for (;;) {
      const answer = await this.ask(route, form, key).catch(() => null);
      if (answer?.status === 200) return answer;
      await pause(50);
    }
  }

  /** Ids of all option orders. */
  async orders(): Promise<string[]> {
    const ids: string[] = [];
    for (const status of ['holding', 'history'])
      for (let page: string | null = ''; page !== null; ) {
        const { data } = await this.insist('POST /coin/order/lists', { status, ...(page && { page }) });
        const { items, next } = data as unknown as { items: { id: string }[]; next: string | null };
        ids.push(...items.map(({ id }) => id));
        page = next;
      }
    return ids;
  }
}
