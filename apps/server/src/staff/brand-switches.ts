import type { OfferFields, OfferKind } from './offer/index.ts';

/** Products that a brand switches on or off as a whole; each needs a licence. */
const SWITCHABLE_PRODUCTS = ['options', 'contracts', 'earning'] as const;
export type SwitchableProduct = (typeof SWITCHABLE_PRODUCTS)[number];
/** The switch that locks rewards of customers until they are certified. Off until two people switch it on. */
export const REWARD_LOCK = 'reward_lock';

interface SwitchDependencies {
  readonly mode: 'demo' | 'live';
  /** The licences in the deployment's settings, by product. */
  readonly licences: Readonly<Record<SwitchableProduct, string | null>>;
  readonly inForce: (kind: string, subject: string) => OfferFields | null;
}

/** True if the product is switched on and, in live mode, has a licence. */
export function isSwitchedOn({ mode, licences, inForce }: SwitchDependencies, product: SwitchableProduct): boolean {
  const { on_offer: isOn = true, licence = '' } = inForce('switch', product) ?? {};
  return isOn === true && (mode === 'demo' || licences[product] !== null || licence !== '');
}

export const isLockingRewards = ({ inForce }: Pick<SwitchDependencies, 'inForce'>): boolean =>
  inForce('switch', REWARD_LOCK)?.on_offer === true;

/** The terms that switch a product on or off, by two people. To stop it at once, one person pauses it. */
export function switchOfferKind({ mode, licences }: Omit<SwitchDependencies, 'inForce'>): OfferKind {
  return {
    name: 'switch',
    page: 'brand',
    subjects: [...SWITCHABLE_PRODUCTS, REWARD_LOCK],
    read: (_subject, from) => ({
      on_offer: from.flag('on_offer'),
      licence: from.text('licence', /^[\p{L}\p{N} .,:()/–-]{0,120}$/u),
      jurisdiction: from.text('jurisdiction', /^([A-Z]{2})?$/),
    }),
    async check(_queries, { subject, after }) {
      if (subject === REWARD_LOCK) return [];
      const known = licences[subject as SwitchableProduct];
      const isLicensed = known !== null || after.licence !== '';
      return [
        {
          code: 'licence_missing',
          ok: mode === 'demo' || after.on_offer !== true || isLicensed,
          value: after.licence === '' ? (known ?? '–') : String(after.licence),
        },
      ];
    },
  };
}
