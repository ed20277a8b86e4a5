import { randomInt, timingSafeEqual } from 'node:crypto';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import type { Language } from '@sathorn/text';
import { translate } from '@sathorn/text/server';
import type { Database, Transaction } from '../../../platform/database/index.ts';
import { customerNetworkOf, networkOf } from '../../../platform/ip-network.ts';
import { withAntiPhishingWord } from '../anti-phishing/anti-phishing.ts';
import type { KeyedHash } from '../keyed-hash.ts';
import type { CustomerLimits } from '../limits/customer-limits.ts';
import type { ExceededLimit, LimitedSubject, StoredRateLimiter } from '../limits/stored-rate-limiter.ts';
import { type Contact, contactBlockOf, receiverKeyOf } from '../names/contact.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { CodeBudget } from './code-budget.ts';
import { type CodeKey, consumeCode, findNewestCodeContact, replaceCode, takeCodeTry } from './code-store.ts';

const CODE_LENGTH = 6;
export const CODE_SPACING_SECONDS = 60;
const CODE_VALID_MS = 10 * 60 * 1_000;
const CODE_TRIES_MAX = 5;

/**
 * The subject that a code proves: control of a contact, for one purpose. A code to edit is also tied to the customer.
 */
export type CodeProof =
  | { readonly contact: Contact; readonly purpose: 'register' }
  /** `isKnownNetwork`: the customer who owns the contact has used the caller's network before. */
  | { readonly contact: Contact; readonly purpose: 'forget'; readonly isKnownNetwork: boolean }
  | { readonly contact: Contact; readonly purpose: 'edit'; readonly editor: bigint };

/** A correct code, which counts as used only after `use`. */
export interface CheckedCode {
  readonly key: CodeKey;
  readonly hash: Buffer;
}

interface CodeRequest {
  readonly proof: CodeProof;
  readonly address: string;
  readonly language: Language;
  /** The signed-in caller; null without a session. */
  readonly customer: bigint | null;
  /**
   * False if the code must not be sent. The answer and the work stay the same, so that the caller cannot tell whether
   * the contact belongs to a customer.
   */
  readonly isForSomebody: boolean;
  /** The anti-phishing word of the customer who owns the contact. */
  readonly word?: string | null;
  /** True if the contact already belongs to the caller. */
  readonly isOwn: boolean;
}

export interface VerificationCodes {
  /** Returns the seconds until the next code may be requested. */
  send(request: CodeRequest, now: Date): Promise<Decision<{ wait: number }, 'code_too_soon' | 'code_budget_spent'>>;
  /** Makes one try of a code, right or wrong. Null if it is not the newest code for this purpose. */
  check(proof: CodeProof, code: string, address: string, now: Date): Promise<CheckedCode | null>;
  /** Marks the code as used, in the transaction that it authorises. True for exactly one caller. */
  use(transaction: Transaction, checked: CheckedCode, now: Date): Promise<boolean>;
  /** Returns the one of these contacts that received the editor's newest code. */
  newestContact(contacts: readonly Contact[], editor: bigint, now: Date): Promise<Contact | null>;
}

interface CodesDependencies {
  readonly database: Database;
  readonly keyedHash: KeyedHash;
  readonly rateLimiter: StoredRateLimiter;
  readonly limits: CustomerLimits;
  readonly codeBudget: CodeBudget;
  readonly outbox: Outbox;
  /** The brand's name as shown in its messages. */
  readonly brand: string;
  /** The app's host. A phone's browser fills in the code of an SMS only there. */
  readonly host: string;
}

/**
 * Digits only, because people type codes on a phone's number pad. Of a million codes, at most twenty guesses per
 * contact and day are checked, plus twenty from networks that the owner has used. If several customers edit one
 * contact, it is five guesses for each of its ten codes.
 */
function randomCode(): string {
  return String(randomInt(10 ** CODE_LENGTH)).padStart(CODE_LENGTH, '0');
}

/**
 * The row for codes that strangers request. Owners have their own rows, so strangers can neither replace the owner's
 * code nor use up its tries.
 */
const ANYBODY = 0n;
const KNOWN_NETWORK = -1n;
/** The row for codes that are not sent; no check reads it. */
const DECOY = -2n;

function keyOf(proof: CodeProof): CodeKey {
  const { purpose } = proof;
  const contact = proof.contact.value;
  if (purpose === 'edit') return { contact, purpose, editors: [proof.editor] };
  // A code sent to a known network is accepted from any network, so that its owner may change from Wi-Fi to mobile.
  return {
    contact,
    purpose,
    editors: purpose === 'forget' && proof.isKnownNetwork ? [KNOWN_NETWORK, ANYBODY] : [ANYBODY],
  };
}

const editorOf = (proof: CodeProof): string[] => (proof.purpose === 'edit' ? [String(proof.editor)] : []);

/** Thrown to roll the call's transaction back when the code is refused. */
class LimitExceeded extends Error {
  readonly exceeded: ExceededLimit;
  constructor(exceeded: ExceededLimit) {
    super('a code was refused');
    this.exceeded = exceeded;
  }
}

export function openVerificationCodes({
  database,
  keyedHash,
  rateLimiter,
  limits,
  codeBudget,
  outbox,
  brand,
  host,
}: CodesDependencies): VerificationCodes {
  const hashOf = (proof: CodeProof, code: string): Buffer =>
    keyedHash('code', proof.contact.value, proof.purpose, ...editorOf(proof), code);

  /** Limits whose refusal the caller sees. */
  const limitsOf = ({ proof, address, customer, isOwn }: CodeRequest, isForSomebody: boolean): LimitedSubject[] => {
    const { contact, purpose } = proof;
    const block = purpose === 'forget' ? null : contactBlockOf(contact);
    // All codes for a contact arrive on one phone, but codes that strangers request do not count against the owner's
    // limit. For a forgotten password each network has its own count: strangers could spend a shared limit, or learn
    // from it which networks the customer uses.
    const own = purpose === 'forget' ? [networkOf(address)] : isOwn ? ['own'] : [];
    const perContact = purpose === 'forget' ? limits.recoveryCodesPerNetwork : limits.codesPerContact;
    return [
      { subject: ['code.spacing', purpose, contact.value, ...own], limit: limits.codeSpacing },
      // Each purpose has its own count, so that strangers' codes to sign up don't use up those for a forgotten
      // password.
      { subject: ['code.contact', purpose, receiverKeyOf(contact), ...own], limit: perContact },
      { subject: ['code.address', customerNetworkOf(address)], limit: limits.codesPerAddress },
      ...(block === null ? [] : [{ subject: ['code.block', block], limit: limits.codesPerBlock } as const]),
      ...(customer === null
        ? []
        : [{ subject: ['code.customer', String(customer)], limit: limits.codesPerCustomer } as const]),
      ...codeBudget.limitsOf(contact.kind, purpose, isForSomebody),
    ];
  };
  /**
   * Limits that silently drop a code for a forgotten password: per contact, in total and for strangers. The answer
   * stays the same, because a refusal that depended on the customer's networks would reveal to others in such a network
   * that the customer exists.
   */
  const shareOf = ({ proof, isForSomebody }: CodeRequest): LimitedSubject[] => {
    if (proof.purpose !== 'forget') return [];
    const receiver = receiverKeyOf(proof.contact);
    const all: LimitedSubject = { subject: ['code.recovery', receiver], limit: limits.codesPerContact };
    if (proof.isKnownNetwork) return [all];
    const block = contactBlockOf(proof.contact);
    return [
      all,
      { subject: ['code.recovery', receiver, 'strangers'], limit: limits.recoveryCodesOfStrangers },
      ...(block === null
        ? []
        : [
            { subject: ['code.recovery.block', block], limit: limits.codesPerBlock, isCounted: isForSomebody } as const,
          ]),
    ];
  };
  const wrongBudgets = (proof: CodeProof, address: string): LimitedSubject[] => {
    const { contact, purpose } = proof;
    const isKnown = purpose === 'forget' && proof.isKnownNetwork;
    return [
      {
        subject: ['code.wrong', purpose, contact.value, ...editorOf(proof), ...(isKnown ? ['known'] : [])],
        limit: limits.wrongCodesPerContact,
      },
      { subject: ['code.wrong.address', customerNetworkOf(address)], limit: limits.wrongCodesPerAddress },
      ...(purpose !== 'forget' || isKnown
        ? []
        : [
            {
              subject: ['code.wrong.network', contact.value, networkOf(address)],
              limit: limits.wrongCodesPerNetwork,
            } as const,
          ]),
    ];
  };

  return {
    send: async (request, now) => {
      const { proof, language } = request;
      const key = keyOf(proof);
      const code = randomCode();
      const said = withAntiPhishingWord(
        translate(language, `codes.${proof.purpose}`, { code, brand }),
        request.word ?? null,
        language,
      );
      const prepared = {
        to: proof.contact,
        subject: translate(language, 'codes.subject', { brand }),
        // The last line of an SMS lets the browser fill in the code on our site, and on no other.
        text: proof.contact.kind === 'phone' ? `${said}\n\n@${host} #${code}` : said,
        code,
      };
      const decide = async (transaction: Transaction) => {
        // Every caller locks these counters before the others, so that none deadlock.
        const share = shareOf(request);
        const isDropped = share.length > 0 && (await rateLimiter.take(share, now, transaction)) !== null;
        const delivery = { ...prepared, isForSomebody: request.isForSomebody && !isDropped };
        const exceeded = await rateLimiter.take(limitsOf(request, delivery.isForSomebody), now, transaction);
        if (exceeded) throw new LimitExceeded(exceeded);
        // A dropped code must not replace one that was sent, and must cause the same work.
        const kept = isDropped ? { ...key, editors: [DECOY] } : key;
        await replaceCode(transaction, kept, hashOf(proof, code), now, new Date(now.getTime() + CODE_VALID_MS));
        await outbox.keep(transaction, delivery, now);
        return delivery;
      };
      // A refused call leaves no counts behind, including those of `share`.
      const sent = await database.transaction(decide).catch((error: unknown) => {
        if (error instanceof LimitExceeded) return error.exceeded;
        throw error;
      });
      codeBudget.raiseAlarms();
      if ('retryAfterMs' in sent)
        return sent.index === 0
          ? refuse('code_too_soon', { params: { wait: String(Math.ceil(sent.retryAfterMs / 1_000)) } })
          : refuse('code_budget_spent');
      outbox.dispatch(sent);
      return accept({ wait: CODE_SPACING_SECONDS });
    },

    check: async (proof, code, address, now) => {
      const key = keyOf(proof);
      const hash = hashOf(proof, code);
      const budgets = wrongBudgets(proof, address);
      const isRight = await database.transaction(async (transaction) => {
        // A caller without guesses left must not use up the code's tries.
        if (proof.purpose === 'forget' && (await rateLimiter.retryAfterMs(budgets, now, transaction)) > 0) return false;
        const kept = await takeCodeTry(transaction, key, CODE_TRIES_MAX, now);
        if (kept.length === 0) return false;
        // The limit is checked again while the code is locked: a caller without guesses left learns nothing from
        // another code, not even from a correct one.
        if ((await rateLimiter.retryAfterMs(budgets, now, transaction)) > 0) return false;
        if (kept.some((one) => timingSafeEqual(one, hash))) return true;
        await rateLimiter.take(budgets, now, transaction);
        return false;
      });
      return isRight ? { key, hash } : null;
    },

    use: (transaction, { key, hash }, now) => consumeCode(transaction, key, hash, now),

    newestContact: async (contacts, editor, now) => {
      const value = await findNewestCodeContact(
        database,
        contacts.map((contact) => contact.value),
        editor,
        now,
      );
      return contacts.find((contact) => contact.value === value) ?? null;
    },
  };
}
