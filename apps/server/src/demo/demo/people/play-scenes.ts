import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../../platform/database/index.ts';
import { type DemoCast, enrolDemoCast } from './cast.ts';
import type { DemoScene } from './scene.ts';
import { markScenePlayed, readPlayedScenes } from './scene-store.ts';
import { openStage, type StageDependencies } from './stage.ts';

/** Pause between scenes, which leaves the machine to a visitor who has just opened the first page. */
const BETWEEN_MS = 500;

/**
 * The scenes in order: first those that a visitor sees first, and last those that wait for codes or results. Their code
 * is loaded only when they are played, because it would delay every start.
 */
async function loadScenes(): Promise<readonly DemoScene[]> {
  const [{ TRADING_SCENES }, { MONEY_SCENES }, { IDENTITY_SCENES }, { CARE_SCENES }] = await Promise.all([
    import('./trading-scenes.ts'),
    import('./money-scenes.ts'),
    import('./identity-scenes.ts'),
    import('./care-scenes.ts'),
  ]);
  return [...TRADING_SCENES, ...MONEY_SCENES.slice(0, 1), ...IDENTITY_SCENES, ...MONEY_SCENES.slice(1), ...CARE_SCENES];
}

interface ScenesDependencies
  extends Omit<StageDependencies, 'signal'>,
    Omit<Parameters<typeof enrolDemoCast>[0], never> {
  readonly database: Database;
  readonly print: (line: string) => void;
  /** Called after the last scene that this process plays. */
  readonly onPlayed: () => void;
  readonly onFault: (error: unknown) => void;
}

/**
 * Plays the scenes that have not been played yet, one after the other, in one process of a deployment. A scene that
 * fails, for instance on a busy machine, is played again after the others, and then at the next start.
 */
export async function playScenes(dependencies: ScenesDependencies, signal: AbortSignal): Promise<void> {
  const { database, clock, print, onPlayed, onFault } = dependencies;
  const ended = new AbortController();
  await database.runAsLeader('demo.people', AbortSignal.any([signal, ended.signal]), async (leading) => {
    const played = await readPlayedScenes(database);
    const scenes = await loadScenes();
    const waiting = scenes.filter(({ name }) => !played.has(name));
    if (waiting.length > 0) {
      const cast: DemoCast = await enrolDemoCast(dependencies, clock.now());
      const stage = openStage({ ...dependencies, signal: leading });
      let done = 0;
      const failed: DemoScene[] = [];
      const play = async (scene: DemoScene): Promise<void> => {
        await pause(BETWEEN_MS, undefined, { signal: leading });
        await scene.play(stage, cast);
        await markScenePlayed(database, scene.name);
        done += 1;
        print(
          `Demo people: ${scene.name.replaceAll('_', ' ')} (${scenes.length - waiting.length + done} of ${scenes.length})`,
        );
      };
      for (const scene of waiting)
        await play(scene).catch(() => {
          failed.push(scene);
        });
      for (const scene of failed) {
        if (leading.aborted) return;
        try {
          await play(scene);
        } catch (error) {
          if (leading.aborted) return;
          onFault(
            new Error(`demo people: the scene ${scene.name} stopped, and is tried again at the next start`, {
              cause: error,
            }),
          );
        }
      }
      onPlayed();
    }
    ended.abort();
  });
}
