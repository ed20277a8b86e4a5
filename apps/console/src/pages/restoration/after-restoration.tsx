import { accountForTransaction, endRestoration, type ResultOf, readApproval, readRestoration } from '@sathorn/api';
import { Button } from '@sathorn/ui';
import { type ReactNode, useState } from 'react';
import { hasAnyRole, useOperator } from '../../operator.ts';
import { Facts } from '../../parts/parts.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { RefusalNote } from '../../parts/states.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useLiveRead } from '../../parts/use-live-read.ts';
import { useProposal } from '../../use-proposal.ts';
import { DecideBar } from '../approvals/decide-bar.tsx';
import { useRestorationTexts } from './texts.ts';

type Shown = ResultOf<typeof readRestoration>;
type Item = Shown['items'][number];

/** Transactions that restored books lack, with a decision for each. Empty while no restoration is open. */
export default function AfterRestoration() {
  const { dateTime } = useTexts();
  const { say } = useRestorationTexts();
  const shown = useLiveRead(readRestoration, {}).data;
  const mayDecide = hasAnyRole(useOperator(), ['finance', 'compliance']);
  if (!shown || (shown.open === null && shown.items.length === 0 && shown.forgotten.length === 0)) return null;
  const { open, unread, items, forgotten, approval } = shown;
  const isClear = items.length === 0 && unread.length === 0;
  return (
    <section className="card" id="after-restoration">
      <div className="hd">
        <h2>{say('title')}</h2>
      </div>
      <div className="bd col">
        {open && (
          <>
            <p className="note" data-look="warn">
              {say('held', { time: dateTime(open.since) })}{' '}
              {say('copy', { end: dateTime(open.ends_at), known: dateTime(open.known_at) })}
            </p>
            {unread.length > 0 && <p>{say('unread', { chains: unread.join(', ') })}</p>}
            {isClear && <p>{say('clear')}</p>}
          </>
        )}
        {items.length > 0 && (
          <Table
            label={say('title')}
            headings={[say('hash'), say('receiver'), say('amount'), say('time'), say('whose'), '']}
          >
            {items.map((item) => (
              <Row key={`${item.hash} ${item.kind} ${item.receiver}`} item={item} mayDecide={mayDecide} />
            ))}
          </Table>
        )}
        {forgotten.length > 0 && (
          <>
            <h3>{say('arrived')}</h3>
            <p className="c">{say('arrived.how')}</p>
            <Table label={say('arrived')} headings={[say('hash'), say('address'), say('amount'), say('time')]}>
              {forgotten.map(({ hash, address, amount, at }) => (
                <tr key={`${hash} ${address} ${amount}`}>
                  <td className="mono">{hash}</td>
                  <td className="mono">{address}</td>
                  <td className="num">{amount}</td>
                  <td>{dateTime(at)}</td>
                </tr>
              ))}
            </Table>
          </>
        )}
        {open && approval && <Decide id={approval.id} asked={say('end.asked')} facts={[]} />}
        {open && !approval && isClear && mayDecide && <End id={open.id} />}
      </div>
    </section>
  );
}

function Table({ label, headings, children }: { label: string; headings: readonly string[]; children: ReactNode }) {
  return (
    <ScrollRegion label={label}>
      <table className="s wraps">
        <thead>
          <tr>
            {headings.map((heading) => (
              <th key={heading}>{heading}</th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </ScrollRegion>
  );
}

function Row({ item, mayDecide }: { item: Item; mayDecide: boolean }) {
  const { dateTime } = useTexts();
  const { say } = useRestorationTexts();
  const { hash, kind, receiver, amount, at, withdrawals, payees, approval } = item;
  // The withdrawals or customers that the transaction fits. Open withdrawals come first, as on the server.
  const fits =
    withdrawals.length > 0
      ? withdrawals.map(({ id, order_number: number, customer: { username: name } }) => ({
          key: id,
          words: say('withdrawal', { number, name }),
          choice: { withdrawal: id },
        }))
      : payees.map(({ customer: { id, username: name } }) => ({
          key: id,
          words: say('payee', { name }),
          choice: { customer: id },
        }));
  const isOpen = kind === 'out' || kind === 'transaction';
  const facts = [
    [say('hash'), hash],
    [say('receiver'), receiver ?? ''],
    [say('amount'), amount],
    [say('whose'), fits.map(({ words }) => words).join(', ') || say('nobody')],
  ] as const;
  return (
    <tr>
      <td>
        {say(`kind.${kind}`)} <span className="mono">{hash}</span>
      </td>
      <td className="mono">{receiver}</td>
      <td className="num">{amount}</td>
      <td>{at && dateTime(at)}</td>
      <td>{fits.length === 0 ? isOpen && say('nobody') : fits.map(({ key, words }) => <p key={key}>{words}</p>)}</td>
      <td>
        {isOpen && approval && <Decide id={approval.id} asked={approval.made_by?.work_name ?? ''} facts={facts} />}
        {isOpen && !approval && mayDecide && <Account hash={hash} fits={fits} facts={facts} />}
      </td>
    </tr>
  );
}

/** The first person assigns the transaction. If it fits several withdrawals or customers, the person chooses. */
function Account({
  hash,
  fits,
  facts,
}: {
  hash: string;
  fits: readonly { key: string; words: string; choice: { withdrawal?: string; customer?: string } }[];
  facts: readonly (readonly [string, string])[];
}) {
  const { say } = useRestorationTexts();
  const account = useProposal(accountForTransaction, say('account'));
  const [chosen, setChosen] = useState('');
  const picked = fits.find(({ key }) => key === chosen);
  const choice = fits.length > 1 ? picked?.choice : {};
  return (
    <>
      {fits.length > 1 && (
        <select aria-label={say('choose')} value={chosen} onChange={({ target }) => setChosen(target.value)}>
          <option value="">{say('choose')}</option>
          {fits.map(({ key, words }) => (
            <option key={key} value={key}>
              {words}
            </option>
          ))}
        </select>
      )}
      <Button
        size="small"
        busy={account.isBusy}
        disabled={choice === undefined}
        onClick={() => void account.propose({ hash, ...choice })}
      >
        {say('account')}
      </Button>
      <RefusalNote refused={account.refused} />
      {account.signing && (
        <StepUp {...account.signing}>
          <Facts facts={picked ? [...facts.slice(0, -1), [say('whose'), picked.words]] : facts} />
        </StepUp>
      )}
    </>
  );
}

/** The second person's decision, beside its evidence. */
function Decide({ id, asked, facts }: { id: string; asked: string; facts: readonly (readonly [string, string])[] }) {
  const shown = useLiveRead(readApproval, { id }).data;
  return (
    <>
      <p className="c">{asked}</p>
      {shown && (
        <DecideBar shown={shown}>
          <Facts facts={facts} />
        </DecideBar>
      )}
    </>
  );
}

function End({ id }: { id: string }) {
  const { say } = useRestorationTexts();
  const end = useProposal(endRestoration, say('end'));
  return (
    <div>
      <Button size="small" busy={end.isBusy} onClick={() => void end.propose({ id })}>
        {say('end')}
      </Button>
      <RefusalNote refused={end.refused} />
      {end.signing && <StepUp {...end.signing}>{say('clear')}</StepUp>}
    </div>
  );
}
