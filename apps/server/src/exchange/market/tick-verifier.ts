import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto';
import { bytesToSign, readTick, sha256, toHex } from '@sathorn/proof';
import type { Queries } from '../../platform/database/index.ts';
import { readKeys } from '../../platform/proofs/index.ts';
import type { PublishedTick } from './tick.ts';

/** A tick that was not signed with a published key. */
export class ForgedTickError extends Error {
  override readonly name = 'ForgedTick';
}

/**
 * Throws `ForgedTickError` if a tick was not signed with a published key: then no price may be shown and no money may
 * move on it.
 */
export type VerifyTicks = (ticks: readonly PublishedTick[]) => Promise<void>;

interface TickVerifier {
  readonly verify: VerifyTicks;
  /** Marks ticks that this process has just signed as verified. */
  trust(ticks: readonly PublishedTick[]): void;
}

/** How many verified ticks are remembered: three hours of all coins, which settlement reads after a long stop. */
const KEPT_MAX = 100_000;
/** The SubjectPublicKeyInfo header that precedes the 32 bytes of an Ed25519 key. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * A digest of all verified fields, so that a tick that differs in any of them gets another name. Its 32 bytes become
 * one character each, because the texts would take 30 MB after three hours.
 */
const nameOf = ({ coin, sequence, at, price, text }: PublishedTick): string =>
  hash('sha256', `${coin} ${sequence} ${at.getTime()} ${price} ${text.hash} ${text.signature}`, 'binary');

/** True if the columns repeat the text and the hash is the text's. */
function matchesItsText({ coin, sequence, at, price, text }: PublishedTick, bytes = bytesToSign(text.body)): boolean {
  const tick = readTick(text.body);
  return (
    tick?.coin === coin &&
    tick.sequence === sequence &&
    tick.at === at.getTime() &&
    tick.price === price &&
    bytes !== undefined &&
    toHex(sha256(bytes)) === text.hash
  );
}

/** True if the tick is the predecessor of `next`, which must already be verified. */
function isPredecessorOf(next: PublishedTick | null, tick: PublishedTick): boolean {
  return (
    next?.coin === tick.coin &&
    next.sequence === tick.sequence + 1n &&
    readTick(next.text.body)?.previous === tick.text.hash &&
    matchesItsText(tick)
  );
}

/**
 * Verifies ticks before they are used. An attacker who can write to the database cannot sign: only the index has that
 * key, and only the database's owner publishes keys.
 */
export function openTickVerifier(database: Queries): TickVerifier {
  let keys = new Map<string, KeyObject>();
  const verified = new Set<string>();

  const readPublished = async (): Promise<void> => {
    const published = await readKeys(database);
    keys = new Map(
      published
        .filter(({ use }) => use === 'index')
        .map(({ id, publicKeyHex }) => {
          const key = Buffer.concat([SPKI_PREFIX, Buffer.from(publicKeyHex, 'hex')]);
          return [id, createPublicKey({ key, format: 'der', type: 'spki' })] as const;
        }),
    );
  };

  const isGenuine = (tick: PublishedTick): boolean => {
    const { text } = tick;
    const bytes = bytesToSign(text.body);
    const key = keys.get(text.key);
    return (
      bytes !== undefined &&
      key !== undefined &&
      matchesItsText(tick, bytes) &&
      verify(null, bytes, key, Buffer.from(text.signature, 'hex'))
    );
  };

  const remember = (name: string): void => {
    if (verified.size >= KEPT_MAX) verified.clear();
    verified.add(name);
  };

  const verifyAll: VerifyTicks = async (ticks) => {
    let next: PublishedTick | null = null;
    for (const tick of [...ticks].reverse()) {
      const { coin, sequence, text } = tick;
      const name = nameOf(tick);
      if (!verified.has(name)) {
        if (text.signature !== '' && !keys.has(text.key)) await readPublished();
        // A sealed tick may have lost its signature; then the next signed tick proves it by its hash.
        const isProven = text.signature === '' ? isPredecessorOf(next, tick) : isGenuine(tick);
        if (!isProven) throw new ForgedTickError(`alarm: tick ${sequence} of ${coin} is not signed by a published key`);
        remember(name);
      }
      next = tick;
    }
  };
  return {
    verify: verifyAll,
    trust(ticks) {
      for (const tick of ticks) remember(nameOf(tick));
    },
  };
}
