import type { Canonical } from '@sathorn/proof';
import type { Queries, Transaction } from '../../platform/database/index.ts';
import type { FieldsReader } from './fields-reader.ts';

/** Terms in the form that is stored and approved: amounts and rates are decimal strings. */
export type Fields = { readonly [name: string]: Canonical };

export interface Check {
  readonly code: string;
  readonly ok: boolean;
  /** Figures that are the same in every language. */
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

/** How much is open under each version. */
export interface Usage {
  readonly approval: string | null;
  readonly orders: number;
  readonly units: bigint;
  readonly reserved: bigint;
  readonly lastEnds: string | null;
}

export const OFFER_PAGES = ['products', 'coins', 'brand'] as const;

/**
 * Something whose terms two people can change for a later time. The room that owns the terms registers it; its notice
 * period is a row of `offer.kind`.
 */
export interface OfferKind {
  readonly name: string;
  /** The console's page, which also decides who may propose. */
  readonly page: (typeof OFFER_PAGES)[number];
  readonly subjects: readonly string[];
  /** The terms start at a midnight in the brand's time zone. */
  readonly beginsAtMidnight?: boolean;
  /** Reads what an operator sent. The reader collects faults; the result has the stored form. */
  read(subject: string, from: FieldsReader): Fields;
  /** Each failing check's code is used as the refusal, so it must be one of the call's refusals. */
  check?(queries: Queries, change: Change): Promise<readonly Check[]>;
  /** Writes into the room's own table, in the transaction that marks the version as applied. */
  apply?(transaction: Transaction, change: Change & { readonly approval: string }, now: Date): Promise<void>;
  /** Customers concerned, by id after a given one; they get a notice when the change is approved. */
  audience?(queries: Queries, change: Change, after: bigint, limit: number): Promise<readonly bigint[]>;
  usage?(queries: Queries, subject: string): Promise<readonly Usage[]>;
}

export type CheckRefusal = 'not_funded' | 'licence_missing';

/** The kind of an approval of new terms; its subject is `<kind>/<subject>`. */
export const OFFER_APPROVAL = 'offer';

/** Roles that may propose, by the page of the console. The approval has the roles that may approve. */
export const MAKERS = {
  products: ['finance', 'admin'],
  coins: ['finance', 'admin'],
  brand: ['admin'],
} as const;
