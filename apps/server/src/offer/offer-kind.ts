import type { Canonical } from '@sathorn/proof';
import type { Queries, Transaction } from '../database/index.ts';
import type { FieldsReader } from './fields-reader.ts';

/** Terms as they are stored and approved: amounts and rates are decimal texts. */
export type Fields = { readonly [name: string]: Canonical };

export interface Check {
  readonly code: string;
  readonly ok: boolean;
  /** Figures, the same in every language. */
  readonly value?: string;
}

export interface Change {
  readonly kind: string;
  readonly subject: string;
  readonly version: number;
  readonly before: Fields | null;
  readonly after: Fields;
  readonly effectiveFrom: Date;
}

/** How much is open under which version. */
export interface Usage {
  readonly approval: string | null;
  readonly orders: number;
  readonly units: bigint;
  readonly reserved: bigint;
  readonly lastEnds: string | null;
}

export const OFFER_PAGES = ['products', 'coins', 'brand'] as const;

/**
 * Something whose terms two people change for a later time. The module that owns the terms registers it; its notice is
 * a row of `offer.kind`.
 */
export interface OfferKind {
  readonly name: string;
  /** The console's page, and so who may propose. */
  readonly page: (typeof OFFER_PAGES)[number];
  readonly subjects: readonly string[];
  /** The terms begin with a day of the brand, not within one. */
  readonly beginsAtMidnight?: boolean;
  /** Reads what an operator sent. Faults are collected by the reader; the result has the stored form. */
  read(subject: string, from: FieldsReader): Fields;
  /** The refusal of the first check that fails is its code, so each code is one of the call. */
  check?(queries: Queries, change: Change): Promise<readonly Check[]>;
  /** Writes into the module's own table, in the transaction that marks the version as applied. */
  apply?(transaction: Transaction, change: Change & { readonly approval: string }, now: Date): Promise<void>;
  /** Customers whom it concerns, by id, after one; they get a notice when it is approved. */
  audience?(queries: Queries, change: Change, after: bigint, limit: number): Promise<readonly bigint[]>;
  usage?(queries: Queries, subject: string): Promise<readonly Usage[]>;
}

export type CheckRefusal = 'not_funded' | 'licence_missing';

/** The kind of an approval of new terms; its subject is `<kind>/<subject>`. */
export const OFFER_APPROVAL = 'offer';

/** Who may propose, by the console's page; who else may approve is a role of the approval. */
export const MAKERS = {
  products: ['finance', 'admin'],
  coins: ['finance', 'admin'],
  brand: ['admin'],
} as const;
