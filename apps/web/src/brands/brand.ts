import type { Currency } from '@sathorn/api';
import type { Language } from '@sathorn/text';

/** One white-label appearance and market. A file each; the build takes one (`BRAND=name`, `sathorn` by default). */
export interface Brand {
  readonly id: string;
  readonly title: string;
  readonly themeColour: string;
  readonly background: string;
  /** Under `public/`, an SVG that is also drawn into the manifest's icons. */
  readonly icon: string;
  /** Where `/api` is; empty for the origin that serves the app. */
  readonly baseUrl: string;
  readonly locale: Language;
  readonly currency: Currency;
  readonly currencyUnit: string;
  /** How units of the server are written for people, where that differs: THB as ฿. */
  readonly currencySymbols: Readonly<Record<string, string>>;
  readonly areaCode: string;
  readonly inviteRequired: boolean;
}
