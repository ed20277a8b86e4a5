import * as v from 'valibot';
import { call } from './call.ts';
import { emptyResult, id, isoTime, noFields } from './fields.ts';

export const listSessions = call('GET /users/sessions', {
  who: 'customer',
  summary: 'Open sessions of this customer.',
  request: noFields,
  result: v.object({
    items: v.array(
      v.object({
        id: v.string(),
        device: v.string(),
        address: v.string(),
        current: v.boolean(),
        created_at: isoTime,
        used_at: isoTime,
      }),
    ),
  }),
});

export const endSession = call('POST /users/sessions/end', {
  who: 'customer',
  summary: 'End one session.',
  request: v.object({ id }),
  result: emptyResult,
  refusals: ['session_unknown'],
});

export const logoutCustomer = call('POST /users/logout', {
  who: 'customer',
  summary: 'End this session.',
  request: noFields,
  result: emptyResult,
});
