import * as v from 'valibot';
import { expect, it } from 'vitest';
import { CALLS } from './calls.ts';

/**
 * Where a customer names something, which may be somebody else's. Whoever adds one here makes sure that a stranger's is as unknown
 * as one that never was, or, where it is a place, one in the customer's own list.
 */
const OWNED = [
  'disputeOption.id',
  'editAvatar.userimg',
  'endSession.id',
  'listAccountRecords.id',
  'listAccountRecords.page',
  'listContracts.page',
  'listFills.order',
  'listFills.page',
  'listMessages.page',
  'listOptions.page',
  'markMessagesRead.ids',
  'readContract.id',
  'readOption.id',
  'readPicture.id',
  'revokeContract.id',
];

const UUID = '00000000-0000-4000-8000-000000000000';
/** Ids and places as the rooms make them. */
const NAMES = [UUID, `1793000000000.${UUID}`, '1793000000000-BTC-1', 'A'.repeat(16), 'A'.repeat(22)];

// threats.md F1
it('what a customer names by its id is known to be theirs or nobody’s', () => {
  const found = Object.entries(CALLS).flatMap(([name, { who, request }]) => {
    const entries = 'entries' in request ? Object.entries(request.entries as Record<string, v.GenericSchema>) : [];
    const takes = (schema: v.GenericSchema, text: string) => v.safeParse(schema, text).success;
    return entries
      .filter(([field, schema]) => field === 'ids' || (NAMES.some((id) => takes(schema, id)) && !takes(schema, '%')))
      .filter(() => who === 'customer')
      .map(([field]) => `${name}.${field}`);
  });
  expect(found.sort()).toEqual(OWNED);
});
