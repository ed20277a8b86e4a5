import type * as v from 'valibot';
import type { Call } from './call.ts';
import { keyScopeOf } from './key-scopes.ts';

interface AnySchema {
  readonly type: string;
  readonly entries: Readonly<Record<string, v.GenericSchema>>;
  readonly wrapped: v.GenericSchema;
  readonly item: v.GenericSchema;
  readonly items: readonly v.GenericSchema[];
  readonly options: readonly unknown[];
  readonly literal: unknown;
  readonly value: v.GenericSchema;
}

/** The parts of a value, each with its place and kind: `fills[].price string`. A `?` says that it may be missing. */
function partsOf(schema: v.GenericSchema, place: string): string[] {
  const any = schema as unknown as AnySchema;
  switch (any.type) {
    case 'object':
    case 'strict_object':
    case 'loose_object':
      return Object.entries(any.entries).flatMap(([name, entry]) =>
        partsOf(entry, place === '' ? name : `${place}.${name}`),
      );
    case 'optional':
    case 'exact_optional':
      return partsOf(any.wrapped, `${place}?`);
    case 'nullable':
    case 'nullish':
      return [`${place} null`, ...partsOf(any.wrapped, place)];
    case 'array':
      return partsOf(any.item, `${place}[]`);
    case 'tuple':
      return any.items.flatMap((item, n) => partsOf(item, `${place}[${n}]`));
    case 'record':
      return partsOf(any.value, `${place}{}`);
    case 'union':
    case 'variant':
      return [...new Set(any.options.flatMap((option) => partsOf(option as v.GenericSchema, place)))];
    case 'picklist':
      return [`${place} ${any.options.join('|')}`];
    case 'literal':
      return [`${place} ${String(any.literal)}`];
    default:
      return [`${place} ${any.type}`];
  }
}

/** What programs with an API key rely on: each call's fields (`>`), its result (`<`) and its refusals (`!`). */
export function contractOf(calls: readonly Call[]): string {
  const routeOf = ({ method, path }: Call): string => `${method} ${path}`;
  const open = calls.filter((call) => keyScopeOf(call) !== null);
  return open
    .toSorted((a, b) => (routeOf(a) < routeOf(b) ? -1 : 1))
    .map((call) =>
      [
        `${routeOf(call)} ${keyScopeOf(call)}${call.isPlain ? ' plain' : ''}`,
        ...partsOf(call.request, '').map((part) => `  > ${part}`),
        ...partsOf(call.result, '').map((part) => `  < ${part.trim()}`),
        ...call.refusals.map((refusal) => `  ! ${refusal}`),
        '',
      ].join('\n'),
    )
    .join('\n');
}
