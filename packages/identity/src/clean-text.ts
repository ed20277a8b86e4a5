/** Bidi controls, soft hyphens, zero-width characters except joiners, lone surrogates, controls except line breaks. */
const DISGUISES = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\p{Cs}|(?!\n)\p{Cc}/gu;

/**
 * Cleans a text that one person writes for others: removes characters that could rearrange or hide the text around
 * them. Joiners stay, because Arabic and Hindi need them.
 */
export const cleanText = (written: string): string =>
  written.normalize('NFC').replace(/\r\n?/g, '\n').replaceAll('\t', ' ').replace(DISGUISES, '');
