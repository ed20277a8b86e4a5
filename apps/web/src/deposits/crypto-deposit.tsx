import type { DepositChannel, DepositRecord } from '@sathorn/api';
import { Late } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { normaliseAddress } from '@sathorn/identity';
import { durationText } from '@sathorn/text';
import { Button, Card, Chip, Skeleton, TextField, useText } from '@sathorn/ui';
import { type FormEvent, useState } from 'react';
import { LateKeptLine } from '../parts/evidence/late-kept-line.tsx';
import { useCopyText } from '../parts/money/copy.tsx';
import { MoneyFacts } from '../parts/money/facts.tsx';
import { GroupedAddress } from '../parts/money/grouped-address.tsx';
import { MoneyNote } from '../parts/money/note.tsx';
import { DepositRow } from '../parts/money/record-rows.tsx';
import { useMoneyFormats } from '../parts/money/use-money.ts';
import { useSystemConfig } from '../shell/config.ts';
import { DEPOSIT_PATH } from './deposit-path.ts';
import { PausedNote } from './paused-note.tsx';
import { SendTestDeposit } from './send-test-deposit.tsx';
import { isTransactionHash } from './transaction-checks.ts';

const loadWrongWay = () => import('./wrong-way.tsx');
const loadQrCode = () => import('./qr-code.tsx');

interface CryptoDepositProps {
  channels: readonly DepositChannel[];
  channel: DepositChannel;
  pending: readonly DepositRecord[];
}

/** The customer's deposit address on a chain, the accepted token and network, and pending deposits. */
export function CryptoDeposit({ channels, channel, pending }: CryptoDepositProps) {
  const { t, presentation } = useText<'money'>();
  const { redirect } = useNavigation();
  const { usdt } = useMoneyFormats();
  const copy = useCopyText();
  const isDemo = useSystemConfig()?.mode === 'demo';
  const { chain, address, confirmations } = channel;
  const name = chain?.name ?? channel.channel;
  const network = chain ? `${chain.name} (${chain.standard})` : channel.channel;

  return (
    <>
      <Card className="deposit-address">
        <fieldset className="deposit-chains">
          <legend className="unseen">{t('deposit.chain')}</legend>
          {channels.map((offered) => (
            <Chip
              key={offered.channel}
              pressed={offered.channel === channel.channel}
              onClick={() => redirect(DEPOSIT_PATH, { by: 'crypto', channel: offered.channel })}
            >
              <bdi dir="ltr">
                {offered.chain?.name ?? offered.channel}
                {offered.chain && <span className="deposit-standard">{offered.chain.standard}</span>}
              </bdi>
            </Chip>
          ))}
        </fieldset>
        {channel.state === 'paused' || address === null ? (
          <PausedNote reason={channel.reason} />
        ) : (
          <>
            <Late load={loadQrCode} waiting={<Skeleton height={184} width={184} />}>
              {(QrCode) => <QrCode payload={address} label={t('deposit.qr_of_address', { chain: name })} />}
            </Late>
            <div className="deposit-own">
              <p className="cap">{t('deposit.own_address')}</p>
              <GroupedAddress address={address} />
            </div>
            <Button look="soft" icon="copy" onClick={() => void copy(address)}>
              {t('deposit.copy_address')}
            </Button>
            {chain && <LateKeptLine about="deposit_address" id={chain.code} />}
          </>
        )}
      </Card>

      {pending.length > 0 && (
        <section className="deposit-pending" aria-label={t('deposit.pending')}>
          <h2 className="deposit-heading">{t('deposit.pending')}</h2>
          <Card tight className="money-rows">
            {pending.map((record) => (
              <DepositRow key={record.id} record={record} />
            ))}
          </Card>
        </section>
      )}

      <MoneyNote tone="warn" icon="warning" title={t('deposit.only', { network })}>
        {t('deposit.only_lead', { chain: name })}
      </MoneyNote>

      <Card tight>
        <MoneyFacts
          facts={[
            { key: 'min', name: t('deposit.min'), value: usdt(channel.min), note: t('deposit.below_min') },
            confirmations === null
              ? null
              : {
                  key: 'after',
                  name: t('deposit.credited_after'),
                  value: t('deposit.confirmations_count', { count: confirmations }),
                  note: t('money.about', { what: durationText(channel.expected_minutes * 60, presentation) }),
                },
            { key: 'fee', name: t('money.fee'), value: usdt('0') },
          ]}
        />
      </Card>

      {isDemo && channel.state === 'open' && <SendTestDeposit channel={channel} pending={pending} />}
      <FindForm channel={channel} />
      <Late load={loadWrongWay} waiting={<Skeleton height={190} />}>
        {(WrongWay) => <WrongWay chain={name} />}
      </Late>
      {chain && (
        <p className="deposit-token cap">
          {t('deposit.contract')} <bdi className="mono">{chain.token}</bdi>
        </p>
      )}
    </>
  );
}

function FindForm({ channel }: { channel: DepositChannel }) {
  const { t } = useText<'money'>();
  const { navigate } = useNavigation();
  const [typed, setTyped] = useState('');
  const [isTried, setTried] = useState(false);
  const find = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    const hash = normaliseAddress(typed);
    if (isTransactionHash(hash)) navigate(DEPOSIT_PATH, { by: 'crypto', channel: channel.channel, find: hash });
    else event.currentTarget.querySelector('input')?.focus();
  };
  return (
    <Card>
      <form noValidate onSubmit={find}>
        <TextField
          label={t('find.lead')}
          name="hash"
          dir="ltr"
          placeholder="0x…"
          autoComplete="off"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setTried(false);
          }}
          error={isTried && !isTransactionHash(normaliseAddress(typed)) ? t('find.malformed') : undefined}
          trail={
            <button type="submit" className="deposit-check">
              {t('find.check')}
            </button>
          }
        />
      </form>
    </Card>
  );
}
