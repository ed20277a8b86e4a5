import type { CompiledMessage } from '@lingui/message-utils/compileMessage';

type Choices = Readonly<Record<string, CompiledMessage | number | undefined>>;

/** A language tag's plural rules and number format. */
interface Counting {
  readonly rules: Intl.PluralRules;
  readonly figures: Intl.NumberFormat;
}
const countings = new Map<string, Counting>();

function countingOf(tag: string): Counting {
  const known = countings.get(tag);
  if (known) return known;
  const made = { rules: new Intl.PluralRules(tag), figures: new Intl.NumberFormat(tag) };
  countings.set(tag, made);
  return made;
}

/**
 * A compiled message with its values. Supports the ICU values and plurals that the catalogues use; anything else
 * throws, as it does when the catalogues are compiled.
 */
export function formatMessage(
  message: CompiledMessage,
  values: Readonly<Record<string, string | number>>,
  tag: string,
  counted = '#',
): string {
  let sentence = '';
  for (const token of message) {
    if (typeof token === 'string') sentence += token === '#' ? counted : token;
    else if (token[1] === undefined) sentence += values[token[0]] ?? '';
    else if (isPluralToken(token)) sentence += sayPlural(token[2], Number(values[token[0]]), values, tag);
    else throw new TypeError(`a message has a ${token[1]}`);
  }
  return sentence;
}

/** True if a token chooses by a count. */
export function isPluralToken(token: readonly unknown[]): token is [string, 'plural', Choices] {
  return token[1] === 'plural' && typeof token[2] === 'object' && token[2] !== null;
}

function sayPlural(
  choices: Choices,
  count: number,
  values: Readonly<Record<string, string | number>>,
  tag: string,
): string {
  const { rules, figures } = countingOf(tag);
  const rest = count - (typeof choices.offset === 'number' ? choices.offset : 0);
  // `=0` before `zero`: an exact count takes precedence over a plural form.
  const chosen = choices[String(count)] ?? choices[rules.select(rest)] ?? choices.other;
  return Array.isArray(chosen) ? formatMessage(chosen, values, tag, figures.format(rest)) : '';
}
