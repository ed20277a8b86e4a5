import { Facts } from '../../parts/parts.tsx';
import { useWithdrawalTexts } from '../withdrawals/texts.ts';
import type { BodyProps } from './bodies.tsx';
import { textIn } from './contents.ts';

/** A transaction that was sent with the house's key by hand, as the chain shows it. */
export default function ForeignBody({ shown: { content } }: BodyProps) {
  const { say } = useWithdrawalTexts();
  return (
    <Facts
      facts={[
        [
          say('foreign.hash'),
          <span key="hash" className="mono">
            {textIn(content, 'hash')}
          </span>,
        ],
        ['nonce', textIn(content, 'nonce')],
        [
          '→',
          <span key="to" className="mono">
            {textIn(content, 'to')}
          </span>,
        ],
        [textIn(content, 'what') === 'foreign' ? 'wei' : 'USDT · 10⁻⁶', textIn(content, 'value')],
        ...(['what', 'withdrawal', 'customer'] as const).flatMap((name) =>
          textIn(content, name) === '' ? [] : [[name, textIn(content, name)] as const],
        ),
      ]}
    />
  );
}
