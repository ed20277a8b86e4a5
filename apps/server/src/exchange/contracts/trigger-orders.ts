import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { CoinCode } from '@sathorn/money';
import type { TriggerTick } from '@sathorn/settlement';
import type { Ledger } from '../../ledger/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { ContractKind, ContractMarket, MarketTick } from './contract-kind.ts';
import { readPassedMs, writePassedMs } from './waiting-store.ts';

/** How often the newest tick is looked at, in memory. */
const LOOK_EVERY_MS = 100;
/** How many orders are triggered per batch at most, so that other commands get their turn. */
const TRIGGERS_MAX = 250;
/** Ticks are read in spans of this length. */
const SPAN_MS = 600_000;
/** How often the mark is written while nothing triggers. A successor looks again at what came after it. */
const MARK_EVERY_MS = 60_000;

export interface TriggerDependencies {
  readonly database: Database;
  readonly ledger: Ledger;
  readonly market: ContractMarket;
  readonly kind: ContractKind;
  readonly leases: ReadonlyMap<CoinCode, bigint>;
}

/**
 * Triggers a coin's waiting orders, tick by tick, and per tick in order of acceptance. It is exact through a crash at
 * any point: an order's row says whether it was triggered, a command names no order but takes the next one, and a
 * successor begins at a tick before which nothing was left.
 */
export class OrderTrigger {
  readonly #coin: CoinCode;
  readonly #dependencies: TriggerDependencies;
  /** Ticks up to this moment are done. Null before the first look. */
  #doneMs: number | null = null;
  #newest: MarketTick | null = null;
  #markedMs = 0;

  constructor(coin: CoinCode, dependencies: TriggerDependencies) {
    this.#coin = coin;
    this.#dependencies = dependencies;
  }

  /** Looks at new ticks until the signal aborts. Throws what a batch throws; the caller steps down or tries again. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.look(signal);
      await pause(LOOK_EVERY_MS, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }

  /** Triggers what the ticks since the last look trigger. */
  async look(signal: AbortSignal): Promise<void> {
    const { market, kind } = this.#dependencies;
    const last = market.lastTick(this.#coin);
    if (last === null) return;
    this.#doneMs ??= await this.#begin(last);
    while (this.#doneMs < last.at.getTime() && !signal.aborted) {
      if (kind.book(this.#coin)?.waiting.isEmpty !== false) {
        // Orders that are accepted from here on are armed after this tick.
        this.#done(last);
        continue;
      }
      for (const tick of await this.#ticksAfter(this.#doneMs, last)) {
        if (signal.aborted) return;
        await this.#trigger(tick);
        this.#done(tick);
      }
      await this.#mark(last.at.getTime());
    }
  }

  /** The predecessor has triggered everything up to its mark. Ticks before any order was armed trigger none. */
  async #begin(last: MarketTick): Promise<number> {
    const { database, kind } = this.#dependencies;
    const armedMs = [...(kind.book(this.#coin)?.waiting.all() ?? [])].map((row) => row.armedMs);
    if (armedMs.length === 0) return last.at.getTime() - 1;
    const earliest = armedMs.reduce((least, each) => Math.min(least, each));
    return Math.max(earliest, await readPassedMs(database, this.#coin));
  }

  #done(tick: MarketTick): void {
    const atMs = tick.at.getTime();
    this.#dependencies.kind.beginTick(this.#coin, atMs);
    this.#doneMs = atMs;
    this.#newest = tick;
  }

  async #ticksAfter(afterMs: number, last: MarketTick): Promise<readonly MarketTick[]> {
    // The usual case needs no query: memory has the next tick.
    if (this.#newest !== null && last.sequence === this.#newest.sequence + 1n) return [last];
    const from = afterMs + 1;
    for (let start = from; ; start += SPAN_MS) {
      const end = Math.min(start + SPAN_MS - 1, last.at.getTime());
      const ticks = await this.#dependencies.market.ticksBetween(this.#coin, new Date(start), new Date(end));
      if (ticks.length > 0) return ticks;
      // Memory has a tick that the database has not: it is read again at the next look.
      if (end >= last.at.getTime()) throw new Error(`${this.#coin}: tick ${last.sequence} is not stored`);
    }
  }

  async #trigger({ sequence, at, price }: MarketTick): Promise<void> {
    const { ledger, kind } = this.#dependencies;
    const tick: TriggerTick = { sequence, atMs: at.getTime(), price };
    // First, so that no order is accepted behind this tick's back.
    kind.beginTick(this.#coin, tick.atMs);
    const command = { do: 'trigger', coin: this.#coin, tick } as const;
    for (;;) {
      const due = kind.book(this.#coin)?.waiting.countDue(tick) ?? 0;
      if (due === 0) return;
      const posted = Array.from({ length: Math.min(due, TRIGGERS_MAX) }, () =>
        ledger.post(kind, command, { id: randomUUID(), digest: 'trigger' }),
      );
      await Promise.allSettled(posted);
      // Throws the first fault once all have ended.
      const answers = await Promise.all(posted);
      const refused = answers.find((answer) => !answer.ok);
      // The ledger takes nothing now. Without this the loop would never rest.
      if (refused !== undefined && kind.book(this.#coin)?.waiting.countDue(tick) === due)
        throw new Error(`${this.#coin}: orders that are due were refused`);
    }
  }

  async #mark(lastMs: number): Promise<void> {
    const { database, leases } = this.#dependencies;
    const lease = leases.get(this.#coin);
    if (lease === undefined || this.#doneMs === null || lastMs - this.#markedMs < MARK_EVERY_MS) return;
    await writePassedMs(database, this.#coin, lease, this.#doneMs);
    this.#markedMs = lastMs;
  }
}
