import { randomInt, timingSafeEqual } from 'node:crypto';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import type { Language } from '@sathorn/text';
import { translate } from '@sathorn/text/server';
import type { Database, Transaction } from '../../database/index.ts';
import type { KeyedHash } from '../keyed-hash.ts';
import { addressBlock } from '../limits/address-block.ts';
import type { Allowances, Limited } from '../limits/allowances.ts';
import type { CustomerLimits } from '../limits/customer-limits.ts';
import { type Contact, contactBlock, receiverOf } from '../names/contact.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { CodeBudget } from './code-budget.ts';
import { type CodeKey, newestCodeContact, putCode, takeCodeTry, useCode } from './code-store.ts';

export const CODE_LENGTH = 6;
export const CODE_SPACING_SECONDS = 60;
export const CODE_VALID_MS = 10 * 60 * 1_000;
export const CODE_TRIES_MAX = 5;

/** What a code proves: that somebody has this contact. To edit with it, that this customer has it. */
export type CodeProof =
  | { readonly contact: Contact; readonly purpose: 'register' | 'forget' }
  | { readonly contact: Contact; readonly purpose: 'edit'; readonly editor: bigint };

/** A code that was right; it counts as used only when `use` says so. */
export interface CheckedCode {
  readonly key: CodeKey;
  readonly hash: Buffer;
}

export interface CodeRequest {
  readonly proof: CodeProof;
  readonly address: string;
  readonly language: Language;
  /** Who asks, where that is known. */
  readonly customer: bigint | null;
  /** False when nobody is to get it. The answer and the work are the same, so that nobody learns who is a customer. */
  readonly isForSomebody: boolean;
  /** Whether it is a contact of who asks. */
  readonly isOwn: boolean;
}

export interface Codes {
  /** Answers the seconds until the next one may be asked for. */
  send(request: CodeRequest, now: Date): Promise<Decision<{ wait: number }, 'code_too_soon' | 'code_budget_spent'>>;
  /** Takes one of the code's tries, right or wrong. Null when it is not the newest code for this. */
  check(proof: CodeProof, code: string, address: string, now: Date): Promise<CheckedCode | null>;
  /** Within the transaction of what the code is for: true for exactly one caller. */
  use(transaction: Transaction, checked: CheckedCode, now: Date): Promise<boolean>;
  /** Which of these the editor's newest code went to. */
  newestContact(contacts: readonly Contact[], editor: bigint, now: Date): Promise<Contact | null>;
}

interface CodesRoom {
  readonly database: Database;
  readonly keyedHash: KeyedHash;
  readonly allowances: Allowances;
  readonly limits: CustomerLimits;
  readonly codeBudget: CodeBudget;
  readonly outbox: Outbox;
  /** As its messages call it. */
  readonly brand: string;
}

/**
 * Digits, because people type them on a phone's number pad. There are a million; twenty guesses a day are looked at, or where several edit
 * one contact five for each of its ten codes.
 */
function randomCode(): string {
  return String(randomInt(10 ** CODE_LENGTH)).padStart(CODE_LENGTH, '0');
}

const keyOf = (proof: CodeProof): CodeKey => ({
  contact: proof.contact.value,
  purpose: proof.purpose,
  editor: proof.purpose === 'edit' ? proof.editor : 0n,
});

export function openCodes({ database, keyedHash, allowances, limits, codeBudget, outbox, brand }: CodesRoom): Codes {
  const editorOf = ({ editor }: CodeKey): string[] => (editor === 0n ? [] : [String(editor)]);
  const hashOf = (key: CodeKey, code: string): Buffer =>
    keyedHash('code', key.contact, key.purpose, ...editorOf(key), code);

  const limitsOf = ({ proof, address, customer, isForSomebody, isOwn }: CodeRequest): Limited[] => {
    const { contact, purpose } = proof;
    const block = contactBlock(contact);
    // What others ask for all arrives at one phone, and takes nothing of what its customer may ask for.
    const own = isOwn ? ['own'] : [];
    return [
      { subject: ['code.spacing', purpose, contact.value, ...own], rule: limits.codeSpacing },
      // Of each purpose by itself: codes to sign up, asked for by strangers, leave those for a forgotten password.
      { subject: ['code.contact', purpose, receiverOf(contact), ...own], rule: limits.codesPerContact },
      { subject: ['code.address', addressBlock(address)], rule: limits.codesPerAddress },
      ...(block === null ? [] : [{ subject: ['code.block', block], rule: limits.codesPerBlock } as const]),
      ...(customer === null
        ? []
        : [{ subject: ['code.customer', String(customer)], rule: limits.codesPerCustomer } as const]),
      ...codeBudget.limitsOf(contact.kind, purpose, isForSomebody),
    ];
  };
  const wrongBudgets = (key: CodeKey, address: string): Limited[] => [
    { subject: ['code.wrong', key.purpose, key.contact, ...editorOf(key)], rule: limits.wrongCodesPerContact },
    { subject: ['code.wrong.address', addressBlock(address)], rule: limits.wrongCodesPerAddress },
  ];

  return {
    send: async (request, now) => {
      const { proof, language } = request;
      const key = keyOf(proof);
      const code = randomCode();
      const delivery = {
        to: proof.contact,
        subject: translate(language, 'codes.subject', { brand }),
        text: translate(language, `codes.${proof.purpose}`, { code, brand }),
        code,
        isForSomebody: request.isForSomebody,
      };
      const refusal = await database.transaction(async (transaction) => {
        const blocked = await allowances.charge(limitsOf(request), now, transaction);
        if (blocked?.index === 0)
          return refuse('code_too_soon', { params: { wait: String(Math.ceil(blocked.waitMs / 1_000)) } });
        if (blocked) return refuse('code_budget_spent');
        await putCode(transaction, key, hashOf(key, code), now, new Date(now.getTime() + CODE_VALID_MS));
        await outbox.keep(transaction, delivery, now);
        return null;
      });
      codeBudget.tell();
      if (refusal) return refusal;
      outbox.dispatch(delivery);
      return accept({ wait: CODE_SPACING_SECONDS });
    },

    check: async (proof, code, address, now) => {
      const key = keyOf(proof);
      const hash = hashOf(key, code);
      const budgets = wrongBudgets(key, address);
      const isRight = await database.transaction(async (transaction) => {
        const kept = await takeCodeTry(transaction, key, CODE_TRIES_MAX, now);
        if (kept === null) return false;
        // Whoever has used up the guesses of a day learns nothing from another, not even from a right one.
        if ((await allowances.wait(budgets, now, transaction)) > 0) return false;
        if (timingSafeEqual(kept, hash)) return true;
        await allowances.charge(budgets, now, transaction);
        return false;
      });
      return isRight ? { key, hash } : null;
    },

    use: (transaction, { key, hash }, now) => useCode(transaction, key, hash, now),

    newestContact: async (contacts, editor, now) => {
      const value = await newestCodeContact(
        database,
        contacts.map((contact) => contact.value),
        editor,
        now,
      );
      return contacts.find((contact) => contact.value === value) ?? null;
    },
  };
}
