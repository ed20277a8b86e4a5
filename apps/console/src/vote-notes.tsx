import type { ResultOf, startStepUp } from '@sathorn/api';
import { useVoteTexts } from './pages/votes/texts.ts';
import { routeHash } from './route.ts';

export interface VoteNotesProps {
  /** True if the server wants a signature of anything other than the content on the screen. */
  readonly isOther: boolean;
  readonly signer: 'none' | 'device' | 'demo' | null;
  readonly asked: ResultOf<typeof startStepUp> | null;
}

/** Notes for an operator whose decision is a signed vote, read before signing. */
export default function VoteNotes({ isOther, signer, asked }: VoteNotesProps) {
  const { say } = useVoteTexts();
  if (isOther)
    return (
      <p className="note" data-look="danger" role="alert">
        {say('differs')}
      </p>
    );
  if (signer === 'demo') return <p className="note">{say('demo')}</p>;
  if (signer !== 'none' || asked?.options) return null;
  return (
    <p className="note" data-look="warn">
      {asked?.device_keys.length ? (
        say('not_here')
      ) : (
        <>
          {say('needs_key')} <a href={routeHash('me', null)}>{say('own_page')}</a>
        </>
      )}
    </p>
  );
}
