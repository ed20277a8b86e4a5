#!/usr/bin/env python3
"""A second reader of checkpoints, written from section 24 of docs/verification.md alone, without packages.

  checkpoint.py NOTE --policy FILE [--previous NOTE] [--proof FILE] [--recent FROM TO]
  checkpoint.py --verdicts CASES.json     prints, for each case, why it is refused, or null

A proof is a file of hashes in base64, one a line. FROM and TO are seconds since 1970. Exits with 0 if accepted, else 1."""
import base64
import binascii
import hashlib
import json
import re
import struct
import sys

from ed25519 import verify

BYTES_MAX, LINES_MAX, SIZE_MAX = 256 * 1024, 64, 2**53 - 1
WHITE = {*range(9, 14), 32, 0x85, 0xa0, 0x1680, *range(0x2000, 0x200b), 0x2028, 0x2029, 0x202f, 0x205f, 0x3000}
NOTE, COSIGNATURE = 1, 4

class Refused(Exception):
    pass

def need(held, word):
    if not held:
        raise Refused(word)

def sha256(*parts):
    return hashlib.sha256(b''.join(parts)).digest()

def unbase64(text):
    """Only the one spelling of some bytes; None for others."""
    try:
        raw = base64.b64decode(text.encode('ascii'), validate=True)
    except (UnicodeEncodeError, binascii.Error):
        return None
    return raw if base64.b64encode(raw).decode() == text else None

def is_name(name):
    return name != '' and not any(ord(c) in WHITE or c == '+' or ord(c) < 32 or 127 <= ord(c) < 160 for c in name)

def count_of(text):
    if not re.fullmatch(r'0|[1-9][0-9]{0,15}', text, re.ASCII):
        return None
    return int(text) if int(text) <= SIZE_MAX else None

def read_key(text):
    """(name, id, kind, public key), or None."""
    parts = text.split('+', 2)
    if len(parts) != 3 or not is_name(parts[0]):
        return None
    name, key_id, raw = parts[0], parts[1], unbase64(parts[2])
    if raw is None or len(raw) != 33 or raw[0] not in (NOTE, COSIGNATURE):
        return None
    return (name, key_id, raw[0], raw[1:]) if sha256(name.encode(), b'\n', raw)[:4].hex() == key_id else None

def read_note(raw):
    need(len(raw) <= BYTES_MAX, 'note_too_large')
    try:
        whole = raw.decode('utf-8')
    except UnicodeDecodeError:
        raise Refused('note_not_text')
    need(not any(ord(c) < 32 and c != '\n' for c in whole), 'note_not_text')
    end = whole.rfind('\n\n')
    rest = whole[end + 2:]
    need(end >= 0 and rest.endswith('\n'), 'signatures_missing')
    lines = rest[:-1].split('\n')
    need(len(lines) <= LINES_MAX, 'note_too_large')
    signatures = []
    for line in lines:
        words = line.split(' ')
        need(len(words) == 3 and words[0] == '\u2014' and is_name(words[1]), 'signature_line_malformed')
        blob = unbase64(words[2])
        need(blob is not None and len(blob) >= 5, 'signature_line_malformed')
        signatures.append((words[1], blob[:4].hex(), blob[4:]))
    return whole[:end + 1], signatures

def read_checkpoint(text):
    """(origin, size, root)."""
    lines = text.split('\n')
    need(len(lines) >= 4 and lines[-1] == '' and '' not in lines[3:-1] and lines[0] != '', 'checkpoint_malformed')
    size, root = count_of(lines[1]), unbase64(lines[2])
    need(size is not None and root is not None and len(root) == 32, 'checkpoint_malformed')
    return lines[0], size, root

def check_signature(text, blob, key):
    """The seconds that a cosignature states, or None for a note's own signature."""
    if key[2] == NOTE:
        need(verify(key[3], text.encode(), blob), 'signature_wrong')
        return None
    need(len(blob) == 72, 'signature_wrong')
    seconds, = struct.unpack('>Q', blob[:8])
    need(0 < seconds <= SIZE_MAX, 'signature_wrong')
    need(verify(key[3], ('cosignature/v1\ntime %d\n%s' % (seconds, text)).encode(), blob[8:]), 'signature_wrong')
    return seconds

def read_policy(text):
    """Logs, witnesses by name, groups by name, and the quorum's name or None."""
    need(not any((ord(c) < 32 and c not in '\t\n') or ord(c) == 127 for c in text), 'policy')
    logs, witnesses, groups, members, quorums = [], {}, {}, set(), []
    for line in text.split('\n'):
        words = [word for word in re.split('[ \t]+', line) if word != '']
        if not words or words[0].startswith('#'):
            continue
        kind, rest = words[0], words[1:]
        names = {*witnesses, *groups}
        if kind == 'log' and len(rest) in (1, 2):
            key = read_key(rest[0])
            need(key and key[2] == NOTE and key[3] not in [known[3] for known in logs], 'policy')
            logs.append(key)
        elif kind == 'witness' and len(rest) in (2, 3):
            key = read_key(rest[1])
            need(key and key[2] == COSIGNATURE, 'policy')
            need(key[3] not in [known[3] for known in witnesses.values()], 'policy')
            need(rest[0] not in names and rest[0] != 'none', 'policy')
            witnesses[rest[0]] = key
        elif kind == 'group' and len(rest) >= 3:
            name, many, own = rest[0], rest[1], rest[2:]
            need(many in ('all', 'any') or re.fullmatch('[1-9][0-9]{0,3}', many), 'policy')
            least = len(own) if many == 'all' else 1 if many == 'any' else int(many)
            need(least <= len(own) and name not in names and name != 'none', 'policy')
            for member in own:
                need(member in names and member not in members, 'policy')
                members.add(member)
            groups[name] = least, own
        elif kind == 'quorum' and len(rest) == 1:
            need(not quorums and (rest[0] in names or rest[0] == 'none'), 'policy')
            quorums.append(rest[0])
        else:
            raise Refused('policy')
    need(quorums, 'policy')
    return logs, witnesses, groups, None if quorums[0] == 'none' else quorums[0]

def counts(name, groups, cosigned):
    if name in groups:
        least, own = groups[name]
        return sum(counts(each, groups, cosigned) for each in own) >= least
    return name in cosigned

def node(left, right):
    return sha256(b'\1', left, right)

def is_consistent(m, first, n, second, proof):
    """RFC 6962, 2.1.2, by recursion: whether a proof leads from m leaves to n, and to both roots."""
    if any(part is None or len(part) != 32 for part in [first, *proof]):
        return False
    if m == 0 or m == n:
        return not proof and (first == sha256() if m == 0 else first == second)
    hashes = list(proof)

    def walk(m, n, is_left):
        """The two roots of these n leaves: of the first m, and of all."""
        if m == n:
            if is_left:
                return first, first
            last = hashes.pop(0)
            return last, last
        k = 1 << (n - 1).bit_length() - 1
        if m <= k:
            old, new = walk(m, k, is_left)
            return old, node(new, hashes.pop(0))
        old, new = walk(m - k, n - k, False)
        left = hashes.pop(0)
        return node(left, old), node(left, new)

    try:
        old, new = walk(m, n, True)
    except IndexError:
        return False
    return not hashes and old == first and new == second

def judge(raw, policy, previous=None, proof=None, recent=None):
    """Raises Refused with the word of the table; returns origin, size, root and the witnesses that count."""
    logs, witnesses, groups, quorum = policy
    text, signatures = read_note(raw)
    origin, size, root = read_checkpoint(text)
    own = [key for key in logs if key[0] == origin]
    need(own, 'log_unknown')
    signed, times = set(), {}
    for name, key_id, blob in signatures:
        for key in own + list(witnesses.values()):
            if key[:2] == (name, key_id):
                seconds = check_signature(text, blob, key)
                signed.add(key)
                times.setdefault(key, seconds)
    need(signed & set(own), 'log_signature_missing')
    need(size > 0 or root == sha256(), 'empty_root_wrong')
    cosigned = {name: times[key] for name, key in witnesses.items() if key in signed}
    need(quorum is None or counts(quorum, groups, cosigned), 'quorum_missing')
    if recent is not None:
        cosigned = {name: at for name, at in cosigned.items() if recent[0] <= at <= recent[1]}
        need(quorum is None or counts(quorum, groups, cosigned), 'quorum_stale')
    if previous is not None:
        before, old_size, old_root = previous
        need(before == origin, 'other_log')
        need(size >= old_size, 'rolled_back')
        if size == old_size:
            need(root == old_root, 'forked')
        else:
            need(proof is not None or old_size == 0, 'proof_missing')
            need(is_consistent(old_size, old_root, size, root, proof or []), 'proof_wrong')
    return origin, size, root, sorted(cosigned)

def signed_by(raw, key):
    """(origin, size, root) of a checkpoint that this key of a log signed."""
    text, signatures = read_note(raw)
    lines = [blob for name, key_id, blob in signatures if (name, key_id) == key[:2]]
    need(lines, 'not_signed')
    for blob in lines:
        check_signature(text, blob, key)
    return read_checkpoint(text)

def check_log(file):
    """A contradiction of kind log: raises Refused unless one key of a log signed two histories."""
    need(set(file) == {'v', 'kind', 'about', 'first', 'second', 'keys', 'proof'}, 'malformed')
    need(file['v'] == 'contradiction/1' and file['kind'] == 'log', 'malformed')
    need(all(isinstance(file[m], str) for m in ('about', 'first', 'second')), 'malformed')
    need(all(isinstance(file[m], list) and all(isinstance(each, str) for each in file[m]) for m in ('keys', 'proof')), 'malformed')
    key = read_key(file['keys'][0]) if len(file['keys']) == 1 else None
    need(key is not None and key[2] == NOTE, 'keys_wrong')
    (one, m, first), (other, n, second) = (signed_by(file[side].encode('utf-8', 'surrogatepass'), key) for side in ('first', 'second'))
    need(one == other == key[0] == file['about'], 'subject_differs')
    if m == n:
        need(not file['proof'] and first != second, 'differences_wrong')
    else:
        begins, *proof = [unbase64(text) for text in file['proof']] or [None]
        need(m < n and is_consistent(m, begins, n, second, proof) and begins != first, 'differences_wrong')

def verdict(case):
    try:
        previous = case['previous'] and read_checkpoint(case['previous'])
        proof = case['proof'] and [unbase64(line) for line in case['proof']]
        raw = case['note'].encode('utf-8', 'surrogatepass')
        judge(raw, read_policy(case['policy']), previous, proof, case['recent'])
        return None
    except Refused as refused:
        return str(refused)

def main(args):
    def read(name):
        with open(name, 'rb') as file:
            return file.read()
    if len(args) == 2 and args[0] == '--verdicts':
        print(json.dumps([verdict(case) for case in json.loads(read(args[1]))]))
        return 0
    options = {}
    note, rest = args[:1], args[1:]
    while rest and rest[0] in ('--policy', '--previous', '--proof', '--recent'):
        take = 3 if rest[0] == '--recent' else 2
        options[rest[0]], rest = rest[1:take], rest[take:]
    if rest or not note or len(options.get('--policy', [])) != 1:
        print(__doc__)
        return 2
    try:
        previous = options.get('--previous')
        proof = options.get('--proof')
        origin, size, root, cosigned = judge(
            read(note[0]), read_policy(read(options['--policy'][0]).decode('utf-8', 'surrogateescape')),
            previous and read_checkpoint(read_note(read(previous[0]))[0]),
            proof and [unbase64(line) for line in read(proof[0]).decode('ascii').split()],
            '--recent' in options and [int(text) for text in options['--recent']] or None)
    except Refused as refused:
        print('NOT ACCEPTED: %s' % refused)
        return 1
    print('Accepted: %s has %d entries, root %s, cosigned by %s.' % (origin, size, root.hex(), ', '.join(cosigned) or 'nobody'))
    return 0

if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
