import { type ConsentProduct, listOfferChanges, listPublicPauses, readConsent } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { useSession } from '@sathorn/app/session';
import { Icon, NavLink } from '@sathorn/ui';
import './offer-notes.css';

export interface OfferNotesProps {
  /** The subjects whose pauses concern this screen: `options`, `BTC`, `bank`. */
  readonly pauses: readonly string[];
  /** The kinds of terms that concern this screen, with a subject or without: `option/BTC`, `fee`. */
  readonly changes: readonly string[];
  readonly consent?: ConsentProduct;
}

/**
 * Shows what is paused, which terms change and when, and what the customer must do before a first order. The sentences
 * come from the server in the customer's language.
 */
export default function OfferNotes({ pauses, changes, consent }: OfferNotesProps) {
  const paused = useRead(listPublicPauses, {}, { everyMs: 30_000 });
  const upcoming = useRead(listOfferChanges, {}, { freshForMs: 60_000 });
  const here = (paused.data ?? []).filter(({ subject }) => pauses.includes(subject));
  const coming = (upcoming.data ?? []).filter(
    ({ kind, subject }) => changes.includes(kind) || changes.includes(`${kind}/${subject}`),
  );
  return (
    <>
      {here.map(({ kind, subject, text }) => (
        <p key={`${kind} ${subject}`} className="offer-note" data-look="warn" role="status">
          <Icon name="warning" size={18} />
          <span>{text}</span>
        </p>
      ))}
      {consent && <ConsentNote product={consent} />}
      {coming.map(({ kind, subject, note }) => (
        <p key={`${kind} ${subject}`} className="offer-note num">
          <Icon name="calendar" size={18} />
          <span>{note}</span>
        </p>
      ))}
    </>
  );
}

function ConsentNote({ product }: { product: ConsentProduct }) {
  const { navigate } = useNavigation();
  const isSignedIn = useSession(({ token }) => token !== null);
  const { data } = useRead(readConsent, { product }, { enabled: isSignedIn, freshForMs: 60_000 });
  if (!data?.required || data.state === 'given') return null;
  return (
    <div className="offer-note" data-look="warn">
      <Icon name="shield" size={18} />
      <span>
        {data.finding ?? data.risks[0]}{' '}
        <NavLink onPress={() => navigate('/pages/consent/index', { product })}>{data.title}</NavLink>
      </span>
    </div>
  );
}
