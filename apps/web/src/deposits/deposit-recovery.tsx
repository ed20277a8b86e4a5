import { type DepositRecord, listPayees, nameReturnWallet } from '@sathorn/api';
import { failureText, useCall, useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { showToast } from '@sathorn/app/shell';
import { normaliseCode } from '@sathorn/identity';
import { formatDate } from '@sathorn/text';
import { Button, Card, RadioList, Sheet, TextField, useText } from '@sathorn/ui';
import { useState } from 'react';
import { LatePinSteps } from '../parts/forms/late-pin-steps.tsx';
import { hasPasskeySupport, provePasskey } from '../parts/forms/passkeys.ts';
import { usePaymentPasswordFault } from '../parts/forms/use-payment-password-fault.ts';
import { GroupedAddress } from '../parts/money/grouped-address.tsx';
import { MoneyNote } from '../parts/money/note.tsx';
import { useMoneyFormats } from '../parts/money/use-money.ts';
import { useApplyRecordNews } from '../parts/money/use-records.ts';
import { NotLoaded } from '../parts/read/not-loaded.tsx';

const CODE_REFUSALS = new Set(['second_factor_required', 'second_factor_wrong', 'second_factor_delayed']);

/** Lets the customer choose the wallet to which a transfer that cannot be credited is returned. */
export default function DepositRecovery({ record }: { record: DepositRecord }) {
  const { t } = useText<'money'>();
  const { plain } = useMoneyFormats();
  const { recovery } = record;
  if (!recovery) return null;
  if (record.reason === 'below_minimum' || record.reason === 'counted')
    return record.step === 'recovery' ? (
      <MoneyNote icon="shield">{t('deposit.recover.small_lead', { fee: plain(recovery.fee) })}</MoneyNote>
    ) : null;
  return (
    <Card>
      <div className="stack">
        <h2 className="deposit-recover-title">{t('deposit.recover.title')}</h2>
        {recovery.to && (
          <div>
            <p className="cap">
              {t('deposit.recover.to')} · <bdi>{recovery.to.name}</bdi>
            </p>
            <GroupedAddress address={recovery.to.address} />
          </div>
        )}
        {record.step === 'recovery' && <Wallets record={record} />}
      </div>
    </Card>
  );
}

function Wallets({ record }: { record: DepositRecord }) {
  const { t, presentation } = useText<'money'>();
  const texts = useText();
  const { navigate } = useNavigation();
  const book = useRead(listPayees, {}, { freshForMs: 0 });
  const takeRecord = useApplyRecordNews();
  const pinFault = usePaymentPasswordFault();
  const submit = useCall(nameReturnWallet, { quiet: true, withoutOverlay: true });
  const [chosen, setChosen] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const [wrong, setWrong] = useState<{ sentence: string; attempt: number }>();
  /** The customer has a second factor, so its code or proof comes before the payment password. */
  const [needsCode, setNeedsCode] = useState(false);
  const [proof, setProof] = useState<string>();
  const [codeFault, setCodeFault] = useState<string>();
  if (!book.data) return <NotLoaded read={book} rows={2} />;
  const wallets = book.data.wallets.filter(({ chain }) => chain === record.chain?.code);
  const add = (
    <Button look="soft" onClick={() => navigate('/pages/mine/addWallet')}>
      {t('deposit.recover.add_wallet')}
    </Button>
  );
  if (wallets.length === 0)
    return (
      <>
        <p className="muted">{t('deposit.recover.no_wallet')}</p>
        {add}
      </>
    );
  const target = chosen ?? wallets[0]?.id ?? '';
  const send = async (paypass: string) => {
    const answer = await submit.submit({ id: record.id, target, paypass, ...(proof && { otp: proof }) });
    if (answer.ok) {
      takeRecord({ deposit: [answer.data] });
      setAsking(false);
      setWrong(undefined);
      return;
    }
    if (answer.code === 'paypass_wrong' || answer.code === 'paypass_locked') {
      setWrong({ sentence: pinFault(answer), attempt: (wrong?.attempt ?? 0) + 1 });
      return;
    }
    if (CODE_REFUSALS.has(answer.code)) {
      setNeedsCode(true);
      setProof(undefined);
      return setCodeFault(answer.code === 'second_factor_required' ? undefined : failureText(answer, texts));
    }
    setAsking(false);
    showToast(Object.values(answer.fields)[0] ?? failureText(answer, texts), 'danger');
  };
  return (
    <>
      <p className="muted">{t('deposit.recover.lead')}</p>
      <RadioList
        legend={t('deposit.recover.wallet')}
        name="wallet"
        value={target}
        onChange={setChosen}
        choices={wallets.map(({ id, name, address, usable_from }) => ({
          value: id,
          label: <bdi>{name}</bdi>,
          note: (
            <>
              <bdi className="mono" dir="ltr">
                {`${address.slice(0, 8)}…${address.slice(-6)}`}
              </bdi>
              {Date.parse(usable_from) > Date.now() && ` · ${formatDate(usable_from, 'dateTime', presentation)}`}
            </>
          ),
        }))}
      />
      <Button
        onClick={() => {
          setProof(undefined);
          setCodeFault(undefined);
          setAsking(true);
        }}
      >
        {t('deposit.recover.send')}
      </Button>
      {add}
      <Sheet
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('deposit.recover.password')}
        blocking={submit.isBusy}
      >
        {isAsking && needsCode && proof === undefined && (
          <CodeStep
            subject={`${record.id} ${target}`}
            fault={codeFault}
            onProof={(given) => {
              setCodeFault(undefined);
              setProof(given);
            }}
          />
        )}
        {isAsking && !(needsCode && proof === undefined) && (
          <LatePinSteps
            key={wrong?.attempt ?? 0}
            steps={['own']}
            onDone={({ current }) => void send(current)}
            error={wrong?.sentence}
            busy={submit.isBusy}
          />
        )}
      </Sheet>
    </>
  );
}

/** Asks for an authenticator code or a passkey, which confirms exactly this deposit and this wallet. */
function CodeStep({
  subject,
  fault,
  onProof,
}: {
  subject: string;
  fault: string | undefined;
  onProof: (proof: string) => void;
}) {
  const { t } = useText<'money'>();
  const [typed, setTyped] = useState('');
  const [own, setOwn] = useState<string>();
  const [isProving, setProving] = useState(false);
  const askPasskey = async () => {
    setProving(true);
    const proof = await provePasskey('return', subject);
    setProving(false);
    if (proof === null) setOwn(t('deposit.recover.passkey_failed'));
    else onProof(proof);
  };
  return (
    <form
      noValidate
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        const code = normaliseCode(typed);
        if (/^[A-Za-z0-9-]{6,24}$/.test(code)) onProof(code);
        else setOwn(t('deposit.recover.code_malformed'));
      }}
    >
      <TextField
        label={t('deposit.recover.code')}
        hint={t('deposit.recover.code_hint')}
        name="otp"
        inputMode="numeric"
        autoComplete="one-time-code"
        dir="ltr"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        error={own ?? fault}
      />
      <Button type="submit" busy={isProving}>
        {t('deposit.recover.code_next')}
      </Button>
      {hasPasskeySupport() && (
        <Button look="soft" icon="key" disabled={isProving} onClick={() => void askPasskey()}>
          {t('deposit.recover.passkey')}
        </Button>
      )}
    </form>
  );
}
