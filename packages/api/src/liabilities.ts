import * as v from 'valibot';
import { call } from './call.ts';
import { noFields, pagedListOf, pageField } from './fields.ts';
import { signedText } from './signed-texts.ts';

export const listLiabilities = call('GET /status/liabilities', {
  who: 'anyone',
  summary:
    'What the platform owed all customers at regular times, by asset: signed roots of sum trees (`liabilities/1`), newest first, each naming the one before.',
  request: v.object({ page: pageField('[0-9]{1,18}') }),
  result: pagedListOf(signedText),
});

const liabilityProof = v.object({
  signed: signedText,
  /** The text of the customer's own leaf (`liability/1`). */
  leaf: v.string(),
  index: v.string(),
  /** The nodes beside the way to the root, lowest first: the hash, then the sums. */
  path: v.array(v.array(v.string())),
});

export const readOwnLiability = call('GET /users/account/liability', {
  who: 'customer',
  summary:
    'The newest signed sum tree in which the customer has a leaf, with the way from this leaf to the root. Null before the first one.',
  request: noFields,
  result: v.nullable(liabilityProof),
});
