import { test } from '@playwright/test';
import { sessionOf } from './staff.ts';

test('each operator signs in', async ({ request }) => {
  for (const name of ['mai', 'ploy', 'tan', 'korn', 'fah', 'bua', 'arun', 'dao']) await sessionOf(request, name);
});
