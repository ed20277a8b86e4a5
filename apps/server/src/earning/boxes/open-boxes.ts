import { setTimeout as pause } from 'node:timers/promises';
import type { Draw, ResultOf, readBoxFile } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { uuidOfName } from '../../ledger/index.ts';
import type { Queries } from '../../platform/database/index.ts';
import type { Module } from '../../platform/module.ts';
import { type BoxPromises, boxPromisesOf, openBoxSeeds } from './box-seeds.ts';
import {
  type BoxRow,
  countBoxes,
  countPrizes,
  type DrawRow,
  hasDueBoxWork,
  insertBoxPromise,
  listBoxRows,
  listDrawRows,
  markDecidedBox,
  readBoxes,
  readBoxPromise,
  readDecidedBoxes,
  readDraw,
  readDrawsOfBox,
  readEndedBoxes,
  readOpenDraws,
  readUnpromisedBoxes,
  setDrawSeed,
} from './box-store.ts';
import type { Boxes, BoxesDependencies } from './boxes.ts';
import { boxCalls } from './calls.ts';
import { drawBoxHandler } from './draw-box.ts';
import { drawKind, returnBudgetKind, signedDrawTextOf } from './draw-kind.ts';
import { buildApprovedBox } from './offer-kind.ts';
import { faultOfBox, publishBox } from './publish-box.ts';
import { drawSeedUntilMs, resolveDraw } from './resolve-draw.ts';
import { findPrizePosting, viewBox, viewDraw } from './view-box.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const PAGE_MAX = 20;
const OPEN_MAX = 200;
const JOURNALS_MAX = 1_000;
const ROUND_MS = 1_000;
const RESOLVED_WITHIN_MS = 3_000;
const LOOK_MS = 100;
/** Closed boxes stay listed for this long, so that they can be verified. */
const LISTED_AFTER_MS = 90 * 86_400_000;
const KEPT_BOXES = 50;

export function openBoxes(dependencies: BoxesDependencies): Module<Boxes> {
  const { database, reads, ledger, clock, signer, key, isOffering, environment, beacon, onFault } = dependencies;
  const seeds = key && openBoxSeeds(key);
  const kept = new Map<string, BoxPromises>();
  const keep = ({ id, body }: BoxRow, commitments: readonly string[]): BoxPromises => {
    const promises = boxPromisesOf(commitments);
    // Draws must use only the seeds with which the box was published.
    if (!body.includes(`"root":"${promises.root}"`)) throw new Error(`alarm: the seeds of box ${id} are not its own`);
    kept.set(id, promises);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_BOXES && oldest !== undefined) kept.delete(oldest);
    return promises;
  };
  const promisesOfBox = async (box: BoxRow, queries: Queries = database): Promise<BoxPromises> => {
    const known = kept.get(box.id);
    if (known) return known;
    const commitments = (await readBoxPromise(queries, box.id)) ?? seeds?.commitmentsOf(box.id, box.draws_max) ?? null;
    if (commitments === null) throw new Error(`box ${box.id} waits until the settler has stored its commitments`);
    return keep(box, commitments);
  };
  const drawing = drawKind({
    signer,
    isOffering,
    commitmentsOf: async (queries, box) => (await promisesOfBox(box, queries)).commitments,
  });
  const resolving = seeds && { ledger, beacon, seeds };
  const publishing = seeds && { ledger, signer, seeds, environment };
  const assertPublishing = (): NonNullable<typeof publishing> => {
    if (publishing === null) throw new Error('this process has not the key of the boxes’ seeds');
    return publishing;
  };

  const boxOf = async (queries: Queries, id: string): Promise<BoxRow | undefined> =>
    UUID.test(id) ? (await readBoxes(queries, [id])).get(id) : undefined;
  const boxOfDraw = async (draw: DrawRow): Promise<BoxRow> => {
    const box = await boxOf(database, draw.box);
    if (box === undefined) throw new Error(`draw ${draw.id} is of no box`);
    return box;
  };
  const viewsOf = async (draws: readonly DrawRow[], language: string): Promise<Draw[]> => {
    const boxes = await readBoxes(
      database,
      draws.map(({ box }) => box),
    );
    const journals = draws.flatMap(({ resolved_journal: journal }) => journal ?? []);
    const transfers = Map.groupBy(
      journals.length > 0 ? await ledger.transfersOf(journals) : [],
      ({ journal }) => journal,
    );
    const views = await Promise.all(
      draws.map(async (draw) => {
        const box = boxes.get(draw.box);
        if (box === undefined) return [];
        const posting = findPrizePosting(transfers.get(draw.resolved_journal ?? '') ?? []);
        return [viewDraw(draw, box, (await promisesOfBox(box)).pathOf(draw.i), posting, language)];
      }),
    );
    return views.flat();
  };
  const viewOne = async (id: string, language: string): Promise<Draw> => {
    const draw = await readDraw(database, id, null);
    const [view] = draw ? await viewsOf([draw], language) : [];
    if (view === undefined) throw new Error(`draw ${id} is gone`);
    return view;
  };

  /** The settler reveals the seed within a second. Customers who wait longer see the draw open first. */
  const untilResolved = async (id: string, customer: bigint): Promise<void> => {
    const until = performance.now() + RESOLVED_WITHIN_MS;
    while (performance.now() < until) {
      await pause(LOOK_MS);
      if ((await readDraw(database, id, customer))?.resolved_at !== null) return;
    }
  };

  // Caches the counts: otherwise visitors could slow the server down, because each count reads all draws of a box.
  const counts = new Map<string, { readonly at: string; readonly given: ReadonlyMap<number, number> }>();
  const givenOf = async ({ id, drawn, open }: BoxRow): Promise<ReadonlyMap<number, number>> => {
    const at = `${drawn}/${open}`;
    const known = counts.get(id);
    if (known?.at === at) return known.given;
    const given = await countPrizes(reads, id);
    counts.set(id, { at, given });
    return given;
  };

  type BoxFileResult = ResultOf<typeof readBoxFile>;
  const files = new Map<string, { readonly at: string; readonly file: BoxFileResult }>();
  const readFile = async (box: BoxRow, now: Date): Promise<BoxFileResult> => {
    const at = `${box.drawn}/${box.open}`;
    const known = files.get(box.id);
    if (known?.at === at) return { ...known.file, at: String(now.getTime()) };
    const draws = await readDrawsOfBox(reads, box.id);
    const postings = new Map<string, { asset: string; units: string }>();
    const journals = draws.flatMap(({ resolved_journal: journal }) => journal ?? []);
    for (let start = 0; start < journals.length; start += JOURNALS_MAX)
      for (const { journal, kind, code, units, debit } of await ledger.transfersOf(
        journals.slice(start, start + JOURNALS_MAX),
      ))
        if (kind === 'post' && code === 'box_prize')
          postings.set(journal, { asset: debit.asset, units: String(units) });
    const file: BoxFileResult = {
      box: signedDrawTextOf(box),
      commitments: [...(await promisesOfBox(box)).commitments],
      draws: draws.map((draw) => {
        const reservation = signedDrawTextOf(draw);
        const { seed, number, prize, resolved_at: resolved, client_seed, beacon: signature } = draw;
        if (seed === null || number === null || prize === null || resolved === null) return { reservation };
        return {
          reservation,
          client_seed,
          beacon: signature,
          seed,
          number: String(number),
          prize: String(prize),
          resolved: String(resolved.getTime()),
          paid: postings.get(draw.resolved_journal ?? '') ?? null,
        };
      }),
      at: String(now.getTime()),
    };
    files.clear();
    files.set(box.id, { at, file });
    return file;
  };

  const api: Boxes = {
    async list(language, now) {
      const rows = await listBoxRows(reads, new Date(now.getTime() - LISTED_AFTER_MS));
      return Promise.all(rows.map(async (box) => viewBox(box, await givenOf(box), { language, isOffering, now })));
    },

    async draw(command, intent, language) {
      if (!UUID.test(command.box)) return refuse('box_unknown', { field: 'id' });
      const decision = await ledger.post(drawing, command, intent);
      return decision.ok ? accept(await viewOne(decision.effect.id, language)) : decision;
    },

    async seed(customer, { id, seed }, language, now) {
      const draw = UUID.test(id) ? await readDraw(database, id, customer) : undefined;
      if (draw === undefined) return refuse('draw_unknown', { field: 'id' });
      const box = await boxOfDraw(draw);
      if (draw.client_seed !== seed) {
        const isLate = now.getTime() >= drawSeedUntilMs(draw, box);
        if (isLate || !(await setDrawSeed(database, id, seed, now))) {
          // A repeated request may already have been handled.
          const again = await readDraw(database, id, customer);
          if (again?.client_seed !== seed) return refuse('seed_too_late');
        }
      }
      const seeded = await readDraw(database, id, customer);
      if (seeded && seeded.resolved_at === null && seeded.round === 0)
        await (resolving ? resolveDraw(seeded, box, now, resolving) : untilResolved(id, customer)).catch(onFault);
      return accept(await viewOne(id, language));
    },

    async draws(customer, { id, page }, language) {
      if (id !== null) {
        const draw = UUID.test(id) ? await readDraw(database, id, customer) : undefined;
        if (draw === undefined) return refuse('draw_unknown', { field: 'id' });
        return accept({ items: await viewsOf([draw], language), next: null });
      }
      const [ms, last] = page?.includes('.') ? page.split('.') : [];
      const before =
        ms !== undefined && last !== undefined && UUID.test(last) ? { at: new Date(Number(ms)), id: last } : null;
      const rows = await listDrawRows(database, customer, before, PAGE_MAX + 1);
      const shown = rows.slice(0, PAGE_MAX);
      const end = shown.at(-1);
      const next = rows.length > PAGE_MAX && end ? `${end.reserved_at.getTime()}.${end.id}` : null;
      return accept({ items: await viewsOf(shown, language), next });
    },

    async file(id, now) {
      const box = await boxOf(reads, id);
      return box === undefined ? refuse('box_unknown', { field: 'id' }) : accept(await readFile(box, now));
    },

    async storePromises() {
      if (seeds === null) return;
      for (const box of await readUnpromisedBoxes(database))
        await insertBoxPromise(database, box.id, keep(box, seeds.commitmentsOf(box.id, box.draws_max)).commitments);
    },

    async resolveDue(now) {
      if (resolving === null) return 0;
      const draws = await readOpenDraws(database, OPEN_MAX);
      const boxes = await readBoxes(
        database,
        draws.map(({ box }) => box),
      );
      const results = await Promise.all(
        draws.map(async (draw) => {
          const box = boxes.get(draw.box);
          return box !== undefined && (await resolveDraw(draw, box, now, resolving));
        }),
      );
      for (const box of await readEndedBoxes(database, now))
        await ledger.post(returnBudgetKind, box, { id: uuidOfName(`boxes.return/${box.id}`), digest: box.id });
      return results.filter((isResolved) => !isResolved).length;
    },

    async publishDecided(now) {
      if (publishing === null) return 0;
      let published = 0;
      for (const { approval, fields } of await readDecidedBoxes(database)) {
        const decision = await publishBox(
          { name: `approval ${approval}`, box: buildApprovedBox(JSON.parse(fields), now), approval, now },
          publishing,
        );
        if (!decision.ok && decision.refusal !== 'not_funded') continue;
        if (decision.ok) published += 1;
        // The money was spent after the approval, so this box is dropped and needs a new proposal.
        else onFault(new Error(`alarm: the box of approval ${approval} is not funded, and is not sold`));
        await markDecidedBox(database, approval, {
          box: decision.ok ? decision.effect.id : null,
          fault: decision.ok ? null : decision.refusal,
        });
      }
      return published;
    },

    faultOf: (box, now) => faultOfBox(box, now, beacon.has),
    publish: async (name, box, approval, now) => publishBox({ name, box, approval, now }, assertPublishing()),
    async offerDemo(boxes, now) {
      if (publishing === null || (await countBoxes(database)) > 0) return;
      for (const [n, box] of boxes(now).entries())
        await publishBox({ name: `demo ${n + 1} ${now.getTime()}`, box, approval: null, now }, publishing);
    },
  };

  return {
    api,
    handlers: [...boxCalls(api), drawBoxHandler(api, dependencies)],
    jobs: [
      {
        on: 'settler',
        async run(signal) {
          while (!signal.aborted) {
            if (await hasDueBoxWork(database, clock.now()).catch(onFault)) {
              await api.storePromises().catch(onFault);
              await api.resolveDue(clock.now()).catch(onFault);
              await api.publishDecided(clock.now()).catch(onFault);
            }
            await pause(ROUND_MS, undefined, { signal }).catch(() => undefined);
          }
        },
      },
    ],
  };
}
