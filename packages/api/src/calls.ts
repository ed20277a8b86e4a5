import type { Call } from './call.ts';
import * as content from './content.ts';
import * as contracts from './contracts.ts';
import * as customers from './customers.ts';
import * as demo from './demo.ts';
import * as market from './market.ts';
import * as options from './options.ts';

function isCall(entry: unknown): entry is Call {
  return typeof entry === 'object' && entry !== null && 'path' in entry && 'refusals' in entry;
}

/** Every call by its name. A handler's file is this name in kebab case. */
export const CALLS: Readonly<Record<string, Call>> = Object.fromEntries(
  Object.entries({ ...content, ...contracts, ...customers, ...demo, ...market, ...options }).filter(([, entry]) =>
    isCall(entry),
  ),
) as Record<string, Call>;
