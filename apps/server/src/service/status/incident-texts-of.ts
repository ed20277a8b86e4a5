import { LANGUAGES } from '@sathorn/text';

type Written = Partial<Record<`text_${(typeof LANGUAGES)[number]}`, string | undefined>>;
/** The texts in a request, keyed by language. */
export const incidentTextsOf = (written: Written): Record<string, string> =>
  Object.fromEntries(
    LANGUAGES.flatMap((language) => {
      const words = written[`text_${language}`];
      return words === undefined ? [] : [[language, words]];
    }),
  );
