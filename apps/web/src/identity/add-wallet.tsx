import { addPayee, type FieldFault, listPayees, type User } from '@sathorn/api';
import { failureText, useRead } from '@sathorn/app/client';
import { FormPage, useCallForm } from '@sathorn/app/forms';
import { useNavigation } from '@sathorn/app/navigation';
import { showToast } from '@sathorn/app/shell';
import { checksumAddress, looksLikeAddress, normaliseAddress, readEvmAddress } from '@sathorn/identity';
import { formatCount } from '@sathorn/text';
import { Button, Card, ErrorState, RadioList, TextField, useText } from '@sathorn/ui';
import { type FormEvent, useState } from 'react';
import { AccountGate } from '../parts/account/account-gate.tsx';
import { ChainMark } from '../parts/money/chain-mark.tsx';
import { GroupedAddress } from '../parts/money/grouped-address.tsx';
import { MoneyNote } from '../parts/money/note.tsx';
import { NotLoaded } from '../parts/read/not-loaded.tsx';
import { IdentityTexts } from './identity-texts.tsx';
import { OwnerSheet } from './owner-sheet.tsx';
import { useOwnerProof } from './use-owner-proof.ts';

const NAME_MAX = 24;

interface Values {
  chain: string;
  address: string;
  name: string;
  sure: string;
  paypass: string;
  otp: string;
}

/** `#/pages/mine/addWallet`: adds a wallet to the address book. */
export default function AddWallet() {
  return (
    <IdentityTexts>
      <AccountGate>{(user) => <Loaded user={user} />}</AccountGate>
    </IdentityTexts>
  );
}

function Loaded({ user }: { user: User }) {
  const texts = useText();
  const { t } = useText<'identity'>();
  const { navigate } = useNavigation();
  const { data, error, refetch } = useRead(listPayees, {});
  if (!data || data.chains.length === 0 || !user.has_paypass)
    return (
      <div className="page">
        <Card>
          {data && !user.has_paypass ? (
            <ErrorState
              icon="key"
              title={t('security.need_paypass')}
              action={{ label: texts.t('setting.set_paypass'), onPress: () => navigate('/pages/mine/setting/paypass') }}
            />
          ) : data ? (
            <ErrorState
              title={t('wallet.no_chains')}
              action={{ label: texts.t('shell.try_again'), onPress: () => void refetch() }}
            />
          ) : (
            <NotLoaded read={{ error, refetch }} failed={t('payees.failed')} rows={3} />
          )}
        </Card>
      </div>
    );
  return <WalletForm user={user} book={data} />;
}

type Book = NonNullable<ReturnType<typeof useRead<typeof listPayees>>['data']>;

function WalletForm({ user, book }: { user: User; book: Book }) {
  const texts = useText();
  const { t, presentation } = useText<'identity'>();
  const { back } = useNavigation();
  const proof = useOwnerProof(user.second_factor);
  // The server's message about the address, shown until the address changes.
  const [alike, setAlike] = useState<string>();
  const { form, errorOf, check, send, isBusy, refusal } = useCallForm<typeof addPayee, Values>(addPayee, {
    initial: { chain: book.chains[0]?.code ?? '', address: '', name: '', sure: '', paypass: '', otp: '' },
    request: ({ sure, otp, ...typed }) => ({
      type: 'wallet',
      coin: 'USDT',
      ...typed,
      // The server checks the payment password and the code later, so the form's check uses placeholders.
      paypass: typed.paypass || '000000',
      ...(sure && { sure }),
      ...(otp && { otp }),
    }),
    also: ({ address, name }): Record<string, FieldFault | undefined> => ({
      address: address.trim() === '' ? 'required' : undefined,
      name: name.trim() === '' ? 'required' : undefined,
    }),
    refusalFields: { payee_exists: 'address' },
    onRefused: (failure) => {
      if (proof.takeRefusal(failure)) return true;
      if (failure.code !== 'address_looks_alike') return false;
      setAlike(failureText(failure, texts));
      return true;
    },
    onDone: () => {
      showToast(t('payees.saved'), 'success');
      back();
    },
  });
  const { address, name, chain } = form.values;
  const read = readEvmAddress(address);
  const isWhole = normaliseAddress(address).length >= 42;
  // Checks the address while it is typed, once it has its full length.
  const fault = errorOf('address') ?? (isWhole && !read.ok ? t(`wallet.${read.fault}`) : undefined);
  const hasChecksum = read.ok && normaliseAddress(address).includes(read.address);
  const twin = read.ok ? book.wallets.find((saved) => looksLikeAddress(read.address, saved.address)) : undefined;

  const paste = async () => {
    form.setFocus('address');
    // The clipboard is undefined over plain http and in older browsers, although its type says otherwise.
    const clipboard: Clipboard | undefined = navigator.clipboard;
    const text = await clipboard?.readText?.().catch(() => undefined);
    if (text === undefined) showToast(t('wallet.paste_by_hand'), 'plain');
    else form.set('address', normaliseAddress(text));
  };
  const ask = (event: FormEvent) => {
    if (!check(event) || !read.ok) {
      if (!read.ok) form.setFocus('address');
      return;
    }
    setAlike(undefined);
    proof.ask();
  };
  const chosen = book.chains.find(({ code }) => code === chain);
  return (
    <>
      <FormPage onSubmit={ask} submitLabel={t('payees.add_wallet')} busy={isBusy} refusal={refusal}>
        <Card>
          <RadioList
            legend={t('wallet.chain')}
            name="chain"
            value={chain}
            onChange={(code) => form.set('chain', code)}
            choices={book.chains.map(({ code, name: chainName, standard }) => ({
              value: code,
              lead: <ChainMark chain={{ code, name: chainName }} size={34} />,
              label: (
                <b>
                  <bdi>{chainName}</bdi>
                </b>
              ),
              note: <bdi>{standard}</bdi>,
            }))}
          />
        </Card>
        <Card className="stack">
          <TextField
            {...form.field('address')}
            onChange={(event) => {
              setAlike(undefined);
              form.set('sure', '');
              form.set('address', event.target.value);
            }}
            label={t('wallet.address')}
            hint={t('wallet.address_hint')}
            error={fault}
            autoComplete="off"
            inputMode="text"
            dir="ltr"
          />
          {read.ok && (
            <div className="wallet-compare">
              <GroupedAddress address={checksumAddress(read.address)} />
              <p className="muted">{t(hasChecksum ? 'wallet.compare' : 'wallet.no_checksum')}</p>
            </div>
          )}
          <Button look="soft" icon="copy" onClick={() => void paste()}>
            {t('wallet.paste')}
          </Button>
          {(alike !== undefined || twin) && read.ok && (
            <MoneyNote tone="warn" icon="warning" title={t('wallet.alike')} alert>
              <div className="stack">
                {alike !== undefined && <p>{alike}</p>}
                {twin && (
                  <>
                    <bdi>{twin.name}</bdi>
                    <GroupedAddress address={twin.address} />
                  </>
                )}
                {form.values.sure === '' && (
                  <Button look="soft" size="small" onClick={() => form.set('sure', 'true')}>
                    {t('wallet.alike_sure')}
                  </Button>
                )}
              </div>
            </MoneyNote>
          )}
        </Card>
        <Card>
          <TextField
            {...form.field('name')}
            label={t('wallet.name')}
            hint={t('wallet.name_count', {
              count: formatCount([...name].length, presentation),
              max: formatCount(NAME_MAX, presentation),
            })}
            error={errorOf('name')}
            maxLength={NAME_MAX}
            autoComplete="off"
            dir="auto"
          />
        </Card>
        <MoneyNote icon="clock">{t('wallet.wait')}</MoneyNote>
      </FormPage>
      <OwnerSheet
        open={proof.isOpen}
        onClose={proof.close}
        title={t('wallet.confirm', { name })}
        asksCode={proof.asksCode}
        factor={{ operation: 'payee', subject: read.ok ? `${chain} ${read.address}` : '' }}
        onProof={({ paypass, otp = '' }) => void send({ paypass, otp })}
        busy={isBusy}
        refused={proof.refused}
      >
        {read.ok && (
          <div className="wallet-compare">
            <p className="muted">
              <bdi>{chosen?.name}</bdi>
            </p>
            <GroupedAddress address={read.address} />
          </div>
        )}
      </OwnerSheet>
    </>
  );
}
