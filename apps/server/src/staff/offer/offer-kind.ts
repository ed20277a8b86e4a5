import type { Canonical } from '@sathorn/proof';
import type { Queries, Transaction } from '../../platform/database/index.ts';
import type { FieldsReader } from './fields-reader.ts';

/** Terms in the form that is stored and approved: amounts and rates are decimal strings. */
export type OfferFields = { readonly [name: string]: Canonical };

export interface OfferCheck {
  readonly code: string;
  readonly ok: boolean;
  /** The figure, if it is the same in every language. */
  readonly value?: string;
}

export interface OfferTermsChange {
  readonly kind: string;
  readonly subject: string;
  readonly version: number;
  readonly before: OfferFields | null;
  readonly after: OfferFields;
  readonly effectiveFrom: Date;
}

/** The amount that is open under each version. */
export interface VersionUsage {
  readonly approval: string | null;
  readonly orders: number;
  readonly units: bigint;
  readonly reserved: bigint;
  readonly lastEnds: string | null;
}

const OFFER_PAGES = ['products', 'coins', 'brand'] as const;

/**
 * Terms that two people can change for a later time. The module that owns the terms registers the kind; its notice
 * period is a row of `offer.kind`.
 */
export interface OfferKind {
  readonly name: string;
  /** The console's page, which also decides who may propose. */
  readonly page: (typeof OFFER_PAGES)[number];
  readonly subjects: readonly string[];
  /** The terms start at a midnight in the brand's time zone. */
  readonly beginsAtMidnight?: boolean;
  /** Reads the fields that an operator sent, and returns them in the stored form. The reader collects the faults. */
  read(subject: string, from: FieldsReader): OfferFields;
  /** Checks whether the change is possible. A failing check's code is the refusal, so the call must list it. */
  check?(queries: Queries, change: OfferTermsChange): Promise<readonly OfferCheck[]>;
  /** Writes into the module's own table, in the transaction that marks the version as applied. */
  apply?(transaction: Transaction, change: OfferTermsChange & { readonly approval: string }, now: Date): Promise<void>;
  /** The customers concerned, by id after a given one; they get a notice when the change is approved. */
  audience?(queries: Queries, change: OfferTermsChange, after: bigint, limit: number): Promise<readonly bigint[]>;
  usage?(queries: Queries, subject: string): Promise<readonly VersionUsage[]>;
}

export type OfferCheckRefusal = 'not_funded' | 'licence_missing';

/** The kind of an approval of new terms; its subject is `<kind>/<subject>`. */
export const OFFER_APPROVAL = 'offer';

/** Roles that may propose, by the page of the console. The approval lists the roles that may approve. */
export const PROPOSER_ROLES = {
  products: ['finance', 'admin'],
  coins: ['finance', 'admin'],
  brand: ['admin'],
} as const;
