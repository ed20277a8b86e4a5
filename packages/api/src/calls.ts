import type { Call } from './call.ts';
import * as subjects from './subjects.ts';

function isCall(entry: unknown): entry is Call {
  return typeof entry === 'object' && entry !== null && 'path' in entry && 'refusals' in entry;
}

/** Every call by its name. A handler's file is this name in kebab case. */
export const CALLS: Readonly<Record<string, Call>> = Object.fromEntries(
  Object.entries<unknown>(subjects).filter((entry): entry is [string, Call] => isCall(entry[1])),
);
