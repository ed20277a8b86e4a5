/**
 * Which logs a reader accepts, and whose cosignatures it asks for: the policy files of Sigsum, as C2SP `tlog-policy`
 * has them.
 *
 *     log <verifier key> [url]
 *     witness <name> <verifier key> [url]
 *     group <name> all|any|<number> <name>…
 *     quorum <name>|none
 */
import { toHex } from '@sathorn/proof';
import { readVerifierKey, type VerifierKey } from './note-key.ts';

export interface PolicyLog {
  readonly key: VerifierKey;
  readonly url: string | null;
}

export interface PolicyWitness {
  readonly name: string;
  readonly key: VerifierKey;
  readonly url: string | null;
}

interface PolicyGroup {
  /** How many of its members must have cosigned. */
  readonly threshold: number;
  /** Names of witnesses and of groups. */
  readonly members: readonly string[];
}

export interface WitnessPolicy {
  readonly logs: readonly PolicyLog[];
  readonly witnesses: readonly PolicyWitness[];
  readonly groups: ReadonlyMap<string, PolicyGroup>;
  /** A name of a witness or a group; null if no cosignature is asked for. */
  readonly quorum: string | null;
}

export type PolicyFault =
  | 'character_refused'
  | 'line_unknown'
  | 'key_malformed'
  | 'key_twice'
  | 'name_taken'
  | 'name_unknown'
  | 'member_twice'
  | 'threshold_malformed'
  | 'quorum_twice'
  | 'quorum_missing'
  | 'policy_too_large';

export interface RefusedPolicy {
  readonly fault: PolicyFault;
  /** Counted from 1; 0 for the whole file. */
  readonly line: number;
}

const NONE = 'none';
const LINES_MAX = 1_000;

/** Reads a whole policy, or says which line is wrong: a policy that was half read would ask for too little. */
export function readWitnessPolicy(text: string): WitnessPolicy | RefusedPolicy {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a policy may contain none but tabs and line feeds
  if (/[\x00-\x08\x0b-\x1f\x7f]/.test(text)) return { fault: 'character_refused', line: 0 };
  const lines = text.split('\n');
  if (lines.length > LINES_MAX) return { fault: 'policy_too_large', line: 0 };
  const reader = new PolicyReader();
  for (const [n, line] of lines.entries()) {
    const words = line.split(/[ \t]+/).filter((word) => word !== '');
    const [kind, ...rest] = words;
    if (kind === undefined || kind.startsWith('#')) continue;
    const fault = reader.read(kind, rest);
    if (fault !== null) return { fault, line: n + 1 };
  }
  return reader.policy() ?? { fault: 'quorum_missing', line: 0 };
}

class PolicyReader {
  readonly #logs: PolicyLog[] = [];
  readonly #witnesses: PolicyWitness[] = [];
  readonly #groups = new Map<string, PolicyGroup>();
  readonly #names = new Set<string>();
  readonly #members = new Set<string>();
  readonly #keys = { log: new Set<string>(), witness: new Set<string>() };
  #quorum: string | null | undefined;

  read(kind: string, words: readonly string[]): PolicyFault | null {
    const [first = '', second = '', ...others] = words;
    const count = words.length;
    if (kind === 'log' && (count === 1 || count === 2)) return this.#log(first, words[1] ?? null);
    if (kind === 'witness' && (count === 2 || count === 3)) return this.#witness(first, second, words[2] ?? null);
    if (kind === 'group' && count >= 3) return this.#group(first, second, others);
    if (kind === 'quorum' && count === 1) return this.#readQuorum(first);
    return 'line_unknown';
  }

  policy(): WitnessPolicy | undefined {
    if (this.#quorum === undefined) return undefined;
    return { logs: this.#logs, witnesses: this.#witnesses, groups: this.#groups, quorum: this.#quorum };
  }

  #log(text: string, url: string | null): PolicyFault | null {
    const key = readVerifierKey(text);
    if (key?.kind !== 'note') return 'key_malformed';
    if (!this.#takeKey('log', key)) return 'key_twice';
    this.#logs.push({ key, url });
    return null;
  }

  #witness(name: string, text: string, url: string | null): PolicyFault | null {
    const key = readVerifierKey(text);
    if (key?.kind !== 'cosignature') return 'key_malformed';
    // One key under two names would count as two people.
    if (!this.#takeKey('witness', key)) return 'key_twice';
    if (!this.#takeName(name)) return 'name_taken';
    this.#witnesses.push({ name, key, url });
    return null;
  }

  #group(name: string, thresholdText: string, members: readonly string[]): PolicyFault | null {
    const threshold =
      thresholdText === 'any' ? 1 : thresholdText === 'all' ? members.length : readThreshold(thresholdText);
    if (threshold === undefined || threshold > members.length) return 'threshold_malformed';
    for (const member of members) {
      // Only names of earlier lines, so no group contains itself.
      if (!this.#names.has(member)) return 'name_unknown';
      // A witness that is in two groups would be counted twice.
      if (this.#members.has(member)) return 'member_twice';
      this.#members.add(member);
    }
    if (!this.#takeName(name)) return 'name_taken';
    this.#groups.set(name, { threshold, members });
    return null;
  }

  #readQuorum(name: string): PolicyFault | null {
    if (this.#quorum !== undefined) return 'quorum_twice';
    if (name !== NONE && !this.#names.has(name)) return 'name_unknown';
    this.#quorum = name === NONE ? null : name;
    return null;
  }

  #takeKey(of: 'log' | 'witness', { publicKey }: VerifierKey): boolean {
    const hex = toHex(publicKey);
    if (this.#keys[of].has(hex)) return false;
    this.#keys[of].add(hex);
    return true;
  }

  #takeName(name: string): boolean {
    if (name === NONE || this.#names.has(name)) return false;
    this.#names.add(name);
    return true;
  }
}

const readThreshold = (text: string): number | undefined => (/^[1-9][0-9]{0,3}$/.test(text) ? Number(text) : undefined);

/** True if these witnesses, by their names in the policy, are enough. */
export function isQuorum({ groups, quorum }: WitnessPolicy, cosigned: ReadonlySet<string>): boolean {
  const hasCosigned = (name: string): boolean => {
    const group = groups.get(name);
    if (group === undefined) return cosigned.has(name);
    return group.members.filter(hasCosigned).length >= group.threshold;
  };
  return quorum === null || hasCosigned(quorum);
}
