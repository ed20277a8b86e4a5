import { afterEach, describe, expect, it } from 'vitest';
import { LIMITS } from './limits.ts';
import { type UploadLimits, type UploadProgress, UploadTurns } from './upload-turns.ts';

const GRACE = 10_000;
let nowMs = 0;
let turns: UploadTurns | undefined;
afterEach(() => {
  turns?.close();
  nowMs = 0;
});

function open(limits: Partial<UploadLimits> = {}): UploadTurns {
  turns = new UploadTurns({ ...LIMITS.live, uploadsAtOnce: 4, ...limits }, 3_600_000, () => nowMs);
  return turns;
}

/** A sender that sends what it is told to. */
function begin(customer: number, line = 'a') {
  if (!turns) throw new Error('not open');
  let progress: UploadProgress | undefined;
  let end: () => void = () => undefined;
  const sender = {
    state: 'waiting',
    send: (bytes: number) => progress?.received(bytes),
    hangUp: () => progress?.lost(),
    end: () => end(),
    done: Promise.resolve(),
  };
  sender.done = turns
    .run(
      { customer: BigInt(customer), line },
      (given) => {
        progress = given;
        sender.state = 'sending';
        return new Promise<void>((done) => {
          end = done;
        });
      },
      async () => undefined,
    )
    .then(
      () => {
        sender.state = 'served';
      },
      (error: { statusCode?: number }) => {
        sender.state = `dropped ${error.statusCode}`;
      },
    );
  return sender;
}

const settle = () => new Promise((done) => setImmediate(done));
async function passes(ms: number): Promise<void> {
  nowMs += ms;
  turns?.check();
  await settle();
}

describe('the least pace', () => {
  it('drops who sends a byte now and then, and lets a phone on 2G finish', async () => {
    open();
    const [drip, phone] = [begin(1), begin(2)];
    await settle();
    for (let second = 0; second < 200; second += 1) {
      void drip.send(1);
      void phone.send(5_000);
      await passes(1_000);
      if (second === 9) expect(drip.state).toBe('sending');
    }
    expect(drip.state).toBe('dropped 408');
    phone.end();
    await phone.done;
    expect(phone.state).toBe('served');
  });

  it('does not count the wait for a place, nor what we do with the picture', async () => {
    open({ uploadsAtOnce: 1 });
    const first = begin(1);
    await settle();
    const second = begin(2);
    for (let n = 0; n < 20; n += 1) {
      void first.send(50_000);
      await passes(1_000);
    }
    first.end();
    await settle();
    await passes(GRACE);
    expect([first.state, second.state]).toEqual(['served', 'sending']);
  });
});

describe('places', () => {
  it('are not held by four accounts that send slowly', async () => {
    open({ uploadsAtOnce: 8 });
    const slow = [1, 2, 3, 4].flatMap((customer) => [begin(customer), begin(customer)]);
    await settle();
    const honest = begin(9, 'b');
    for (let second = 0; second < 12 && honest.state === 'waiting'; second += 1) {
      for (const sender of slow) void sender.send(2_000);
      await passes(1_000);
    }
    expect(honest.state).toBe('sending');
    // Nobody waits any more, so the others go on.
    await passes(5_000);
    expect(slow.filter(({ state }) => state === 'sending')).toHaveLength(7);
  });

  it('are given up by the network that has most of them, and there by the slowest', async () => {
    open();
    const [phone, one, two, three] = [begin(1, 'mobile'), begin(2), begin(3), begin(4)];
    await settle();
    begin(5, 'b');
    for (let second = 0; second < 11; second += 1) {
      void phone.send(5_000);
      void one.send(20_000);
      void two.send(19_000);
      void three.send(21_000);
      await passes(1_000);
    }
    expect([phone, one, two, three].map(({ state }) => state)).toEqual([
      'sending',
      'sending',
      'dropped 408',
      'sending',
    ]);
  });

  it('are kept by who sends well, however many wait', async () => {
    open({ uploadsAtOnce: 1 });
    const first = begin(1);
    await settle();
    const others = [2, 3, 4].map((customer) => begin(customer));
    for (let second = 0; second < 60; second += 1) {
      void first.send(40_000);
      await passes(1_000);
    }
    expect([first, ...others].map(({ state }) => state)).toEqual(['sending', 'waiting', 'waiting', 'waiting']);
  });

  it('of one network are so many; another’s customers are not in that queue', async () => {
    open({ uploadsAtOncePerNetwork: 2 });
    const [one, two, three] = [begin(1), begin(2), begin(3)];
    const other = begin(4, 'b');
    await settle();
    expect([one, two, three, other].map(({ state }) => state)).toEqual(['sending', 'sending', 'waiting', 'sending']);
    one.end();
    await settle();
    expect(three.state).toBe('sending');
  });

  it('go to who has none before who has some, though he came later', async () => {
    open({ uploadsAtOnce: 2, uploadsAtOncePerCustomer: 2 });
    const mine = Array.from({ length: 6 }, () => begin(1));
    await settle();
    const late = begin(2);
    mine[0]?.end();
    await settle();
    expect([late.state, mine[2]?.state]).toEqual(['sending', 'waiting']);
  });

  it('for large pictures are few; who waits for one has kept his pace', async () => {
    open({ smallPictureBytes: 1_000_000, largeUploadsAtOnce: 2 });
    const [one, two] = [begin(1), begin(2)];
    await settle();
    void one.send(1_000_001);
    let goesOn = false;
    void two.send(1_000_001)?.then(() => {
      goesOn = true;
    });
    await passes(300_000);
    expect([one.state, two.state, goesOn]).toEqual(['dropped 408', 'sending', true]);
    await passes(GRACE);
    expect(two.state).toBe('sending');
    two.end();
    await two.done;
    expect(two.state).toBe('served');
  });

  it('are given back by who hangs up while he waits to go on, both of them', async () => {
    open({ uploadsAtOnce: 2, smallPictureBytes: 1_000, largeUploadsAtOnce: 1 });
    const [one, two] = [begin(1), begin(2)];
    await settle();
    void one.send(2_000);
    void two.send(2_000);
    await settle();
    const [three, four] = [begin(3), begin(4)];
    two.hangUp();
    await settle();
    expect([two.state, three.state, four.state]).toEqual(['dropped 408', 'sending', 'waiting']);
    one.end();
    await settle();
    let goesOn = false;
    void three.send(2_000)?.then(() => {
      goesOn = true;
    });
    await settle();
    expect([goesOn, four.state]).toEqual([true, 'sending']);
  });
});

it('never holds more than the limits say, whatever is done', async () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  open({ uploadsAtOnce: 5, uploadsAtOncePerCustomer: 2, uploadsAtOncePerNetwork: 3, smallPictureBytes: 50_000 });
  const senders: (ReturnType<typeof begin> & { customer: number; line: string })[] = [];
  for (let step = 0; step < 3_000; step += 1) {
    const some = senders[random(Math.max(1, senders.length))];
    const choice = random(5);
    if (choice === 0 && senders.filter(({ state }) => state === 'waiting').length < 20) {
      const customer = random(6);
      const line = `line ${random(3)}`;
      senders.push(Object.assign(begin(customer, line), { customer, line }));
    } else if (choice === 1) some?.end();
    else if (choice === 2) some?.hangUp();
    else if (choice === 3) void some?.send(random(60_000));
    else await passes(random(4_000));
    await settle();
    const sending = senders.filter(({ state }) => state === 'sending');
    expect(sending.length).toBeLessThanOrEqual(5);
    for (const of of Map.groupBy(sending, ({ customer }) => customer).values())
      expect(of.length).toBeLessThanOrEqual(2);
    for (const of of Map.groupBy(sending, ({ line }) => line).values()) expect(of.length).toBeLessThanOrEqual(3);
  }
  for (let left = 0; left < 100; left += 1) {
    for (const sender of senders) sender.end();
    await settle();
  }
  expect(senders.filter(({ state }) => state === 'sending' || state === 'waiting')).toEqual([]);
});
