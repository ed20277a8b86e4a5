import type { ApprovalView } from '@sathorn/api';
import type { Texts } from '../../parts/texts/index.ts';

const DECIMALS: Readonly<Record<string, number>> = { USDT: 6, THB: 2, POINTS: 0 };

/** Converts units to a decimal number, because the signed content has units. */
export function decimalOf(units: string, asset: string): string {
  const decimals = DECIMALS[asset] ?? 8;
  const digits = units.padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`;
}

export const textFieldOf = (content: Readonly<Record<string, unknown>>, name: string): string => {
  const value = content[name];
  return typeof value === 'string' ? value : '';
};
export const stringFieldsOf = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(value !== null && typeof value === 'object' ? value : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
export const codeListOf = (content: Readonly<Record<string, unknown>>, name: string): readonly string[] => {
  const value = content[name];
  return Array.isArray(value) ? value.map(String) : [];
};

/** Stored texts contain a placeholder for the brand's name. */
export const titleWithoutBrand = (content: ApprovalView['content']): string =>
  textFieldOf(content, 'title').replace(/^\{brand\}: /, '');

export const incidentPartsText = (content: ApprovalView['content'], code: Texts['code']): string =>
  codeListOf(content, 'parts')
    .map((part) => code('incident.part', part))
    .join(', ');
