import { timingSafeEqual } from 'node:crypto';
import { stopFactorResetByWord } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import { customerNetworkOf } from '../../../platform/ip-network.ts';
import type { CustomersModule, FactorResets } from '../customers.ts';
import { findCustomerByLoginName, parseLoginName } from '../login-name.ts';

const NOBODY = 0n;

/** Limits guesses per name and network, so that strangers cannot use up the owner's own tries. */
export function stopFactorResetByWordHandler(module: CustomersModule, resets: FactorResets): Handler {
  const { database, antiPhishing, keyedHash, rateLimiter, limits, brand } = module;
  // Removes joiners, because keyboards differ in whether they insert them into the same word.
  const hashOf = (word: string): Buffer =>
    keyedHash(
      'reset.word',
      word
        .normalize('NFKC')
        .toLowerCase()
        .replace(/[\u200c\u200d]/g, ''),
    );
  return handle(stopFactorResetByWord, async ({ request: { username, word }, client, now }) => {
    const name = parseLoginName(username, brand.areas);
    const line = customerNetworkOf(client.address);
    const tries = [
      { subject: ['reset.word', name.key, line], limit: limits.resetWord },
      { subject: ['reset.word.name', name.key], limit: limits.resetWordPerName },
      { subject: ['reset.word.line', line], limit: limits.resetWordPerAddress },
    ] as const;
    const exceeded = await rateLimiter.take(tries, now);
    if (exceeded)
      return refuse('login_delayed', { params: { wait: String(Math.ceil(exceeded.retryAfterMs / 1_000)) } });
    const id = (await findCustomerByLoginName(database, name))?.id ?? NOBODY;
    const [known, waiting] = await Promise.all([antiPhishing.read(database, id), resets.waiting(id)]);
    const isRight = timingSafeEqual(hashOf(word), hashOf(known?.word ?? '')) && known !== null;
    if (!isRight || waiting === null || !(await resets.stop(id, 'word')))
      return refuse('reset_word_wrong', { field: 'word' });
    return accept({});
  });
}
