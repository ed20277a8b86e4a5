import type { Disk } from './disk.ts';

export class PowerCut extends Error {}

/** Which of a step that was cut off, and of what was not flushed, is there afterwards. */
export interface AfterCut {
  /** False for a process that was killed: the system keeps what it had taken. */
  readonly isPower: boolean;
  readonly hasNewNames: boolean;
  readonly contents: 'flushed' | 'newest' | 'torn';
}

interface Inode {
  text: string;
  flushed: string;
}

/** A disk that may lose whatever was not flushed, and fails at a step. */
export class TestingDisk implements Disk {
  readonly #names: Map<string, Inode>;
  #flushedNames: Map<string, Inode>;
  #steps = 0;
  #cut: { readonly step: number; readonly isAfter: boolean } | null = null;

  constructor(files: ReadonlyMap<string, string> = new Map()) {
    this.#names = new Map([...files].map(([name, text]) => [name, { text, flushed: text }]));
    this.#flushedNames = new Map(this.#names);
  }

  /** Cuts off at the n-th step from now, before or after it has been done. */
  cutAt(step: number, isAfter: boolean): void {
    this.#steps = 0;
    this.#cut = { step, isAfter };
  }

  get steps(): number {
    return this.#steps;
  }

  /** The disk as the next start finds it. */
  afterCut({ isPower, hasNewNames, contents }: AfterCut): TestingDisk {
    const names = isPower && !hasNewNames ? this.#flushedNames : this.#names;
    const next = new TestingDisk();
    for (const [name, { text, flushed }] of names) {
      const torn = text.slice(0, Math.floor(text.length / 2));
      const kept = !isPower || contents === 'newest' || text === flushed ? text : contents === 'torn' ? torn : flushed;
      next.#names.set(name, { text: kept, flushed: isPower ? kept : flushed });
    }
    // A kill leaves unflushed what was unflushed.
    if (isPower) next.#flushedNames = new Map(next.#names);
    else for (const [name, { flushed }] of this.#flushedNames) next.#flushedNames.set(name, { text: flushed, flushed });
    return next;
  }

  #step(work: () => void): void {
    this.#steps += 1;
    const isHere = this.#cut?.step === this.#steps;
    if (isHere && !this.#cut?.isAfter) throw new PowerCut();
    work();
    if (isHere) throw new PowerCut();
  }

  read(name: string): string | null {
    return this.#names.get(name)?.text ?? null;
  }

  write(name: string, text: string): void {
    this.#step(() => {
      const inode = this.#names.get(name);
      if (inode === undefined) this.#names.set(name, { text, flushed: '' });
      else inode.text = text;
    });
  }

  flush(name: string): void {
    this.#step(() => {
      const inode = this.#names.get(name);
      if (inode !== undefined) inode.flushed = inode.text;
    });
  }

  rename(from: string, to: string): void {
    this.#step(() => {
      const inode = this.#names.get(from);
      if (inode === undefined) throw new Error(`no ${from}`);
      this.#names.delete(from);
      this.#names.set(to, inode);
    });
  }

  flushFolder(): void {
    this.#step(() => {
      this.#flushedNames = new Map(this.#names);
    });
  }
}
