import { Facts } from '../../parts/parts.tsx';
import { useWithdrawalTexts } from '../withdrawals/texts.ts';
import type { BodyProps } from './bodies.tsx';
import { decimalOf, textFieldOf } from './contents.ts';

/** A transaction that the signer has not signed, and the payments that two people assign to it. */
export default function ForeignBody({ shown: { content } }: BodyProps) {
  const { say, word } = useWithdrawalTexts();
  const transfers = (Array.isArray(content.transfers) ? content.transfers : []) as Record<string, string | null>[];
  return (
    <Facts
      facts={[
        [
          say('foreign.hash'),
          <span key="hash" className="mono">
            {textFieldOf(content, 'hash')}
          </span>,
        ],
        ['nonce', textFieldOf(content, 'nonce')],
        [
          '→',
          <span key="to" className="mono">
            {textFieldOf(content, 'to')}
          </span>,
        ],
        ['wei', textFieldOf(content, 'value')],
        ...transfers.map(({ output, to, units, purpose, withdrawal, customer }): [string, React.ReactNode] => [
          `${decimalOf(units ?? '0', 'USDT')} USDT`,
          <span key={output}>
            → <span className="mono">{to}</span> · {word('foreign', purpose ?? '')} {withdrawal ?? customer}
          </span>,
        ]),
      ]}
    />
  );
}
