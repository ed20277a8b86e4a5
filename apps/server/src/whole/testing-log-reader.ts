import { setTimeout as pause } from 'node:timers/promises';
import {
  type Checkpoint,
  consistencyFromTiles,
  judgeCheckpoint,
  type ReadTile,
  readWitnessPolicy,
  tilePath,
  type WitnessPolicy,
} from '@sathorn/transparency';

const PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 200;

export interface LogVisit {
  readonly checkpoint: Checkpoint;
  /** Names of the witnesses that cosigned it. */
  readonly cosigned: readonly string[];
  readonly note: string;
  readonly policy: WitnessPolicy;
}

/** Somebody who reads a platform's public log and keeps what was accepted last. */
export class LogReader {
  readonly #url: string;
  #last: Checkpoint | null = null;

  constructor(url: string) {
    this.#url = url;
  }

  get(name: string): Promise<Response> {
    return fetch(`${this.#url}/log/${name}`);
  }

  readonly read: ReadTile = async (place) => {
    const response = await this.get(tilePath(place));
    return response.status === 200 ? new Uint8Array(await response.arrayBuffer()) : undefined;
  };

  /** Throws if the log does not go on from the last visit. */
  async visit(): Promise<LogVisit> {
    const policy = readWitnessPolicy(await (await this.get('policy')).text());
    if ('fault' in policy) throw new Error(policy.fault);
    const note = await (await this.get('checkpoint')).text();
    const size = Number(note.split('\n')[1]);
    const previous = this.#last;
    const proof = previous && size >= previous.size ? await consistencyFromTiles(previous.size, size, this.read) : null;
    const found = await judgeCheckpoint({ note, policy, previous, proof });
    if (!found.isAccepted) throw new Error(found.refusal);
    this.#last = found.checkpoint;
    return { checkpoint: found.checkpoint, cosigned: found.cosigned.map(({ witness }) => witness), note, policy };
  }

  /** Visits until the log has more entries than `size`. A server that is away is asked again. */
  async untilAbove(size: number): Promise<LogVisit> {
    const began = performance.now();
    for (;;) {
      const status = await this.get('checkpoint').then(
        (response) => response.status,
        () => 0,
      );
      if (status === 200) {
        const visited = await this.visit();
        if (visited.checkpoint.size > size) return visited;
      }
      if (performance.now() - began > PATIENCE_MS) throw new Error(`the log stays at ${size} entries`);
      await pause(LOOK_EVERY_MS);
    }
  }
}
