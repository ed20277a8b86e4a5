import type { Currency } from '@sathorn/api';
import { type KeptValues, keptValues } from '@sathorn/app/forms';
import { useSession } from '@sathorn/app/session';
import type { ContactValues } from '../parts/forms/contact-fields.tsx';

export interface Registration extends ContactValues {
  password: string;
  paypass: string;
  username: string;
  currency: Currency;
  invite_code: string;
  agree: string;
}

/** The code is worth nothing minutes later, and the phone may discard this page while it is looked up. */
const TYPED = ['mode', 'phone', 'email', 'code', 'username', 'currency'] as const;
/** Both passwords stay in the page's memory, so going back keeps them. They are never stored: a reload ends them. */
const NO_SECRETS = { password: '', paypass: '', agree: '' };
let secrets = NO_SECRETS;
// Whoever signs in on this page must not find another person's.
useSession.subscribe(({ token }) => {
  if (token !== null) secrets = NO_SECRETS;
});

function keptWith(fields: readonly (keyof Registration & string)[]): KeptValues<Registration> {
  const stored = keptValues<Registration>('register', fields);
  return {
    read: () => ({ ...stored.read(), ...secrets }),
    write: (values) => {
      const { password, paypass, agree } = values;
      secrets = { password, paypass, agree };
      stored.write(values);
    },
    forget: () => {
      secrets = NO_SECRETS;
      stored.forget();
    },
  };
}

const KEPT = keptWith([...TYPED, 'invite_code']);
/** The code of an invitation link is not stored, because the link contains it. */
const KEPT_BESIDE_LINK = keptWith(TYPED);

/** What was typed into the sign-up and not sent yet. */
export const registrationKept = (hasLink: boolean): KeptValues<Registration> => (hasLink ? KEPT_BESIDE_LINK : KEPT);
