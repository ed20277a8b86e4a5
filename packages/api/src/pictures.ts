import * as v from 'valibot';
import { call } from './call.ts';
import { id, noFields } from './fields.ts';

export const uploadPicture = call('POST /users/upload', {
  who: 'customer',
  summary: 'Upload a picture (multipart, field `image`); it is re-encoded and stripped of metadata.',
  takesFile: true,
  request: noFields,
  result: v.object({ id: v.string(), url: v.string() }),
  refusals: ['picture_missing', 'picture_unreadable', 'picture_too_large', 'picture_slow', 'picture_quota_used'],
});

export const editAvatar = call('POST /users/edit/avatar', {
  who: 'customer',
  summary: 'Use an uploaded picture as avatar.',
  request: v.object({ userimg: id }),
  result: v.object({ avatar: v.string() }),
  refusals: ['picture_unknown'],
});

/** Only the owner of a picture can read it. */
export const readPicture = call('GET /users/picture', {
  who: 'customer',
  summary: 'One uploaded picture as a data URL.',
  request: v.object({ id }),
  result: v.object({ data_url: v.string() }),
  refusals: ['picture_unknown'],
});
