import { ACKNOWLEDGED_MAX } from '@sathorn/api';
import {
  ACKNOWLEDGEMENT_TYPE,
  accountSeal,
  buildTextTree,
  type TreeSignedText,
  writeAcknowledgement,
} from '@sathorn/proof';
import type { Queries } from '../database/index.ts';
import type { Acknowledge } from '../edge/index.ts';
import { RecentMap } from '../recent-map.ts';
import { openKeyStart } from './key-store.ts';
import type { Signer } from './signer.ts';

export interface AcknowledgementSigning {
  readonly database: Queries;
  readonly signer: Signer;
  /** The salt of the customer's statements. */
  readonly saltOf: (customer: bigint) => string;
  readonly environment: 'live' | 'demo';
}

/** Computing a customer's salt and seal costs as much as the rest of a proof, so those of recent customers are kept. */
const ACCOUNTS_KEPT = 10_000;
/** The largest tree that verifiers accept. */
const TREE_SIZE_MAX = 64;

interface Waiting {
  readonly body: string;
  readonly signed: (text: TreeSignedText) => void;
  readonly failed: (error: unknown) => void;
}

/** Answers that become ready together, as those of one batch do, share a signature. */
export function openAcknowledge({ database, signer, saltOf, environment }: AcknowledgementSigning): Acknowledge {
  const readKeyStart = openKeyStart(database, signer);
  const accounts = new RecentMap<bigint, { readonly salt: string; readonly seal: string }>(ACCOUNTS_KEPT);
  const accountOf = (customer: bigint): { readonly salt: string; readonly seal: string } => {
    const known = accounts.get(customer);
    if (known !== undefined) return known;
    const salt = saltOf(customer);
    const account = { salt, seal: accountSeal(salt, String(customer)) };
    accounts.set(customer, account);
    return account;
  };
  let waiting: Waiting[] = [];

  const signAll = (): void => {
    const all = waiting;
    waiting = [];
    for (let from = 0; from < all.length; from += TREE_SIZE_MAX) {
      const batch = all.slice(from, from + TREE_SIZE_MAX);
      try {
        const tree = buildTextTree(
          ACKNOWLEDGEMENT_TYPE,
          batch.map(({ body }) => body),
        );
        const head = signer.sign(tree.head);
        for (const [index, { signed }] of batch.entries()) signed(tree.prove(index, head));
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
  };
  const sign = (body: string): Promise<TreeSignedText> =>
    new Promise((signed, failed) => {
      if (waiting.push({ body, signed, failed }) === 1) process.nextTick(signAll);
    });

  return async (customer, things) => {
    if (things.length === 0 || things.length > ACKNOWLEDGED_MAX) return null;
    const keyStartMs = await readKeyStart();
    const { salt, seal } = accountOf(customer);
    const texts = things.map(({ about, id, at, facts }) =>
      sign(
        writeAcknowledgement({
          about,
          id,
          account: seal,
          atMs: Math.max(keyStartMs, at === null ? 0 : Date.parse(at)),
          environment,
          facts,
        }),
      ),
    );
    // The proof's types are read-only.
    return {
      account: { salt, customer: String(customer) },
      texts: (await Promise.all(texts)).map((text) => ({ ...text, path: [...text.path] })),
    };
  };
}
