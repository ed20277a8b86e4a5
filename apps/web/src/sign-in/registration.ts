import type { Currency } from '@sathorn/api';
import { type KeptValues, openKeptValues } from '@sathorn/app/forms';
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

/** Stored fields: the phone may discard the page while the code is looked up. A code soon becomes worthless. */
const TYPED = ['mode', 'phone', 'email', 'code', 'username', 'currency'] as const;
/** Both passwords stay in the page's memory when going back. They are never stored: a reload loses them. */
const NO_SECRETS = { password: '', paypass: '', agree: '' };
let secrets = NO_SECRETS;
// The next person to sign in on this page must not find another person's secrets.
useSession.subscribe(({ token }) => {
  if (token !== null) secrets = NO_SECRETS;
});

function keptWith(fields: readonly (keyof Registration & string)[]): KeptValues<Registration> {
  const stored = openKeptValues<Registration>('register', fields);
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

/** The typed values of a sign-up that has not been sent. */
export const keptRegistration = (hasLink: boolean): KeptValues<Registration> => (hasLink ? KEPT_BESIDE_LINK : KEPT);
