import { randomBytes } from 'node:crypto';
import { addPayee, type ParsedRequestOf, type RefusalOf } from '@sathorn/api';
import {
  isAccountNumber,
  isBankCode,
  isBranchCode,
  isPersonName,
  isSameName,
  looksLikeAddress,
  normaliseNumber,
  readEvmAddress,
} from '@sathorn/identity';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { chainNameOf } from './list-payees.ts';
import {
  addressCommitmentOf,
  type CardSecret,
  digestOfCard,
  digestOfWallet,
  PAYEES_MAX,
  type Payee,
  payeeSealContext,
  unsealPayee,
  unsealPayees,
  viewCard,
  viewWallet,
  type WalletSecret,
} from './payee.ts';
import { insertPayee, listPayeeRows, lockPayeeOwner, type PayeeKind, type PayeeRow } from './payee-store.ts';
import type { PayeesModule } from './payees.ts';

type Request = ParsedRequestOf<typeof addPayee>;
type Refusal = RefusalOf<typeof addPayee>;
type Decided<Effect> = Decision<Effect, Refusal>;

/** The only asset that can be withdrawn. */
const WITHDRAWABLE = 'USDT';

interface Wanted {
  readonly kind: PayeeKind;
  readonly name: string;
  readonly secret: WalletSecret | CardSecret;
  readonly digest: Buffer;
}

function decideCard(module: PayeesModule, request: Request, certifiedNames: readonly string[]): Decided<Wanted> {
  const { real_name: realName = '', bank = '', phone = '', email = '' } = request;
  const number = normaliseNumber(request.number ?? '');
  const ifsc = normaliseNumber(request.ifsc ?? '');
  if (!isBankCode(bank)) return refuse('bank_unknown', { field: 'bank' });
  if (!isAccountNumber(bank, number)) return refuse('account_number_malformed', { field: 'number' });
  if (!isBranchCode(ifsc)) return refuse('branch_malformed', { field: 'ifsc' });
  if (!isPersonName(realName)) return refuse('real_name_malformed', { field: 'real_name' });
  if (certifiedNames.length > 0 && !certifiedNames.some((name) => isSameName(realName, name)))
    return refuse('real_name_differs', { field: 'real_name' });
  const secret = { realName, ifsc, bank, number, phone, email };
  return accept({ kind: 'card', name: request.name ?? bank, secret, digest: digestOfCard(module.sealer, secret) });
}

async function decideWallet(module: PayeesModule, request: Request, customer: bigint): Promise<Decided<Wanted>> {
  const { name = '', coin = '', chain = '' } = request;
  if (coin !== WITHDRAWABLE) return refuse('asset_not_withdrawable', { field: 'coin' });
  if (!module.chains().some(({ code }) => code === chain)) return refuse('chain_unknown', { field: 'chain' });
  const read = readEvmAddress(request.address ?? '');
  if (!read.ok) return refuse(read.fault, { field: 'address' });
  const { address } = read;
  const refusal = await module.refusalOfAddress(customer, chain, address);
  if (refusal !== null) return refuse(refusal, { field: 'address' });
  const secret = { coin, chain, address };
  return accept({ kind: 'wallet', name, secret, digest: digestOfWallet(module.sealer, secret) });
}

/** A customer's entries: all rows, and those of them that this program wrote. */
interface SavedPayees {
  readonly rows: readonly PayeeRow[];
  readonly payees: readonly Payee[];
}

/** Checks a new entry against the customer's existing ones. */
function decideBeside(wanted: Wanted, { rows, payees }: SavedPayees, isSure: boolean): Decided<null> {
  const isWallet = wanted.kind === 'wallet';
  const field = isWallet ? 'address' : 'number';
  if (rows.some(({ digest }) => digest.equals(wanted.digest))) return refuse('payee_exists', { field });
  const { address } = wanted.secret as WalletSecret;
  const twin = payees.find((other) => isWallet && other.kind === 'wallet' && looksLikeAddress(address, other.address));
  if (twin && !isSure) return refuse('address_looks_alike', { field, params: { name: twin.name } });
  const max = PAYEES_MAX[wanted.kind];
  if (rows.filter(({ kind }) => kind === wanted.kind).length >= max)
    return refuse('too_many_payees', { params: { count: String(max) } });
  return accept(null);
}

/** The lowest free slot number. */
function freePlace(taken: readonly number[]): number {
  let place = 0;
  while (taken.includes(place)) place += 1;
  return place;
}

export function addPayeeHandler(module: PayeesModule): Handler {
  const { customers, database, sealer } = module;

  /** Reports everything that is wrong with the entry before the payment password is checked. */
  const decide = async (customer: bigint, request: Request): Promise<Decided<Wanted>> => {
    const wanted =
      request.type === 'card'
        ? decideCard(module, request, await module.certifiedNames(customer))
        : await decideWallet(module, request, customer);
    if (!wanted.ok) return wanted;
    const beside = decideBeside(wanted.effect, await savedOf(customer), request.sure === 'true');
    return beside.ok ? wanted : beside;
  };
  const savedOf = async (
    customer: bigint,
    queries: Parameters<typeof listPayeeRows>[0] = database,
  ): Promise<SavedPayees> => {
    const rows = await listPayeeRows(queries, customer);
    return { rows, payees: unsealPayees(module, rows) };
  };

  const checkOwner = async (customer: bigint, request: Request, wanted: Wanted, now: Date): Promise<Decided<null>> => {
    if ((await customers.accountState(customer, now)).frozen) return refuse('account_frozen');
    if (!(await customers.hasPaymentPassword(customer))) return refuse('paypass_not_set');
    const checked = await customers.checkPaymentPassword(customer, request.paypass, now);
    if (!checked.ok) return checked.refusal === 'paypass_wrong' ? { ...checked, field: 'paypass' } : checked;
    const operation = { kind: 'payee', subject: subjectOf(wanted) } as const;
    const second = await customers.checkSecondFactor(customer, operation, request.otp, now);
    return second.ok ? second : { ...second, field: 'otp' };
  };

  return handle(addPayee, async ({ request, customer: { id: customer }, intent, language, now }) => {
    const decided = await decide(customer, request);
    if (!decided.ok) return decided;
    const wanted = decided.effect;
    const owner = await checkOwner(customer, request, wanted, now);
    if (!owner.ok) return owner;

    const added = await database.transaction(async (transaction): Promise<Decided<Payee>> => {
      await lockPayeeOwner(transaction, customer);
      const saved = await savedOf(customer, transaction);
      const beside = decideBeside(wanted, saved, request.sure === 'true');
      if (!beside.ok) return beside;
      const row = { id: randomBytes(16).toString('base64url'), owner: customer, kind: wanted.kind, added_at: now };
      const sealed = sealer.seal(customer, payeeSealContext(row), Buffer.from(JSON.stringify(wanted.secret)));
      const place = freePlace(saved.rows.filter(({ kind }) => kind === wanted.kind).map((other) => other.place));
      const commitment = 'address' in wanted.secret ? addressCommitmentOf(sealer, row.id, wanted.secret) : null;
      const whole = {
        ...row,
        name: wanted.name,
        place,
        sealed,
        digest: wanted.digest,
        commitment,
        intent: intent.id,
      };
      await insertPayee(transaction, whole);
      return accept(unsealPayee(sealer, whole));
    });
    if (!added.ok) return added;
    const payee = added.effect;
    await module.messages
      .send(
        customer,
        payee.kind === 'wallet' ? 'wallet_added' : 'card_added',
        { name: payee.name, at: now.toISOString(), until: payee.usableFrom.toISOString() },
        now,
      )
      .catch(module.onFault);
    return accept(
      payee.kind === 'wallet'
        ? { card: null, wallet: viewWallet(payee, chainNameOf(module, payee.chain)) }
        : { card: viewCard(payee, await module.certifiedNames(customer), language), wallet: null },
    );
  });
}

/** The subject of the second factor: exactly this address or account. */
function subjectOf({ secret }: Wanted): string {
  return 'address' in secret ? `${secret.chain} ${secret.address}` : `${secret.bank} ${secret.number}`;
}
