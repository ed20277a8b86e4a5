import { Facts } from '../../parts/parts.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useRestorationTexts } from '../restoration/texts.ts';
import type { BodyProps } from './bodies.tsx';
import { textFieldOf } from './contents.ts';

/** The restoration is complete: with its approval, payouts, sweeps and new addresses resume. */
export default function RestorationBody({ shown: { content } }: BodyProps) {
  const { dateTime } = useTexts();
  const { say } = useRestorationTexts();
  const at = (name: string) => dateTime(textFieldOf(content, name));
  return (
    <Facts
      facts={[
        [say('title'), say('clear')],
        [say('held', { time: at('since') }), say('copy', { end: at('ends_at'), known: at('known_at') })],
      ]}
    />
  );
}
