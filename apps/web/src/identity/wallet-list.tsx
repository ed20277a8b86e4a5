import { type CardView, listPayees, removePayee, renamePayee, type WalletView } from '@sathorn/api';
import { failureText, useCall, useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { showToast } from '@sathorn/app/shell';
import { serverNowMs } from '@sathorn/app/stream';
import { durationText, formatCount, formatDate } from '@sathorn/text';
import { Badge, Button, Card, EmptyState, Icon, ListRow, ProgressBar, Sheet, TextField, useText } from '@sathorn/ui';
import { useEffect, useState } from 'react';
import { LateOrderMark } from '../parts/evidence/late-order-mark.tsx';
import { ChainMark } from '../parts/money/chain-mark.tsx';
import { CopyMark } from '../parts/money/copy.tsx';
import { GroupedAddress, shortAddress } from '../parts/money/grouped-address.tsx';
import { MoneyNote } from '../parts/money/note.tsx';
import { PageFoot } from '../parts/money/page-foot.tsx';
import { PageNotLoaded } from '../parts/read/not-loaded.tsx';
import { IdentityTexts } from './identity-texts.tsx';
import { type OwnerProof, OwnerSheet } from './owner-sheet.tsx';
import { BankMark, CertifiedNameMark } from './payee-marks.tsx';
import { useOwnerProof } from './use-owner-proof.ts';
import './wallet-list.css';

type Payee = (WalletView & { kind: 'wallet' }) | (CardView & { kind: 'card' });

/** `#/pages/mine/walletList`: the address book. */
export default function WalletList() {
  return (
    <IdentityTexts>
      <Payees />
    </IdentityTexts>
  );
}

function Payees() {
  const { t, presentation } = useText<'identity'>();
  const { navigate } = useNavigation();
  const { data, error, refetch } = useRead(listPayees, {}, { freshForMs: 0 });
  const [chosen, setChosen] = useState<Payee | null>(null);
  useMinutes();
  if (!data) return <PageNotLoaded read={{ error, refetch }} failed={t('payees.failed')} rows={4} />;
  const ids = [...data.wallets, ...data.cards].map(({ id }) => id);
  const count = (n: number, max: number) =>
    t('payees.of', { count: formatCount(n, presentation), max: formatCount(max, presentation) });
  return (
    <>
      <div className="page">
        <SectionHead title={t('payees.wallets')} trail={count(data.wallets.length, data.wallets_max)} />
        <Card tight className="payees">
          {data.wallets.length === 0 && <EmptyState picture="wallet" title={t('payees.none_wallets')} />}
          {data.wallets.map((wallet) => (
            <div key={wallet.id} className="payee">
              <ListRow
                lead={<ChainMark chain={{ code: wallet.chain, name: wallet.chain_name }} />}
                title={
                  <b>
                    <bdi>{wallet.name}</bdi>
                  </b>
                }
                note={
                  <>
                    <bdi>{wallet.chain_name}</bdi> <bdi dir="ltr">{shortAddress(wallet.address)}</bdi>
                    <br />
                    {t('payees.added', { time: formatDate(wallet.added_at, 'date', presentation) })}
                  </>
                }
                onPress={() => setChosen({ ...wallet, kind: 'wallet' })}
              />
              <LateOrderMark id={wallet.id} among={ids} />
              <Waiting payee={wallet} />
            </div>
          ))}
        </Card>
        <SectionHead title={t('payees.cards')} trail={count(data.cards.length, data.cards_max)} />
        <Card tight className="payees">
          {data.cards.map((card) => (
            <div key={card.id} className="payee">
              <ListRow
                lead={<BankMark />}
                title={
                  <b>
                    <bdi>{card.name}</bdi> <bdi dir="ltr">{card.number}</bdi>
                  </b>
                }
                note={
                  <>
                    <bdi>{card.real_name}</bdi>
                    <CertifiedNameMark is={card.is_certified_name} />
                  </>
                }
                onPress={() => setChosen({ ...card, kind: 'card' })}
              />
              <LateOrderMark id={card.id} among={ids} />
              <Waiting payee={card} />
            </div>
          ))}
          {data.cards.length < data.cards_max && (
            <ListRow
              lead={
                <span className="payee-plus">
                  <Icon name="card" size={20} />
                </span>
              }
              title={<span className="payee-add">{t('payees.add_card')}</span>}
              onPress={() => navigate('/pages/mine/setting/tradeAccount')}
            />
          )}
        </Card>
        <MoneyNote icon="shield">{t('payees.fixed')}</MoneyNote>
      </div>
      <PageFoot>
        <Button icon="wallet" onClick={() => navigate('/pages/mine/addWallet')}>
          {t('payees.add_wallet')}
        </Button>
      </PageFoot>
      <PayeeSheet
        payee={chosen}
        onClose={() => setChosen(null)}
        onChanged={() => {
          setChosen(null);
          void refetch();
        }}
      />
    </>
  );
}

function SectionHead({ title, trail }: { title: string; trail: string }) {
  return (
    <div className="payees-head row">
      <h2>{title}</h2>
      <span className="num">{trail}</span>
    </div>
  );
}

const DAY_MS = 24 * 3_600_000;

/** The time left until a new payee can be used. */
function Waiting({ payee }: { payee: Pick<WalletView, 'usable_from'> }) {
  const { t, presentation } = useText<'identity'>();
  const left = Date.parse(payee.usable_from) - serverNowMs();
  if (left <= 0) return null;
  const time = durationText(Math.ceil(left / 60_000) * 60, presentation);
  return (
    <div className="payee-waits">
      <Badge tone="warn" mark="clock">
        {t('payees.waits', { time })}
      </Badge>
      <ProgressBar share={Math.max(0, 1 - left / DAY_MS)} label={t('payees.waits', { time })} look="amber" />
      <p className="cap num">
        {t('payees.usable_from', { time: formatDate(payee.usable_from, 'dateTime', presentation) })}
      </p>
    </div>
  );
}

/** Renders again every minute while the page is open. */
function useMinutes(): void {
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), 30_000);
    return () => clearInterval(timer);
  }, []);
}

function PayeeSheet({
  payee,
  onClose,
  onChanged,
}: {
  payee: Payee | null;
  onClose: () => void;
  onChanged: () => void;
}) {
  const texts = useText();
  const { t } = useText<'identity'>();
  const rename = useCall(renamePayee, { withoutOverlay: true });
  const remove = useCall(removePayee, { quiet: true });
  const proof = useOwnerProof(false);
  const [name, setName] = useState('');
  useEffect(() => setName(payee?.name ?? ''), [payee]);
  if (!payee) return null;
  const save = async () => {
    const answer = await rename.submit({ id: payee.id, name });
    if (answer.ok) {
      showToast(texts.t('form.saved'), 'success');
      onChanged();
    }
  };
  const drop = async ({ paypass }: OwnerProof) => {
    const answer = await remove.submit({ id: payee.id, paypass });
    if (!answer.ok && proof.takeRefusal(answer)) return;
    proof.close();
    showToast(answer.ok ? t('payees.removed') : failureText(answer, texts), answer.ok ? 'success' : 'danger');
    onChanged();
  };
  return (
    <>
      <Sheet open={!proof.isOpen} onClose={onClose} title={payee.name}>
        <div className="stack">
          {payee.kind === 'wallet' ? (
            <div>
              <p className="row muted">
                <bdi>{payee.chain_name}</bdi>
                <CopyMark text={payee.address} label={t('wallet.address')} />
              </p>
              <GroupedAddress address={payee.address} />
            </div>
          ) : (
            <p>
              <bdi>{payee.bank_name}</bdi> <bdi dir="ltr">{payee.number}</bdi>
            </p>
          )}
          <TextField
            label={t('wallet.name')}
            name="name"
            value={name}
            maxLength={24}
            onChange={(event) => setName(event.target.value)}
            dir="auto"
          />
          <Button disabled={name.trim() === '' || name === payee.name} busy={rename.isBusy} onClick={() => void save()}>
            {t('payees.rename')}
          </Button>
          <Button look="danger" onClick={proof.ask}>
            {t('payees.remove')}
          </Button>
        </div>
      </Sheet>
      <OwnerSheet
        open={proof.isOpen}
        onClose={proof.close}
        title={t('payees.remove_ask', { name: payee.name })}
        onProof={(given) => void drop(given)}
        busy={remove.isBusy}
        refused={proof.refused}
      >
        <p className="muted">{t('payees.remove_note')}</p>
      </OwnerSheet>
    </>
  );
}
