#!/usr/bin/env python3
"""A second verifier, from docs/verification.md alone, with Python's standard library alone.

    python3 verify.py receipt.json keys.json    a receipt, with published keys that you kept or trust
    python3 verify.py receipt.json keys.json --pages page.json...
                                                and against answers of GET /proof/ticks, in the order of the chain
    python3 verify.py --vectors FOLDER          the test vectors; ends with 0 when all agree
    python3 verify.py --verdicts FILE           receipts like those of receipts.json: prints true or false for each

The numbers in the comments are sections of that page.
"""

import hashlib
import json
import re
import sys

import ed25519


class Refused(Exception):
    """What is wrong, in a word."""


def demand(condition, fault):
    if not condition:
        raise Refused(fault)


def holds(check, *args):
    try:
        check(*args)
        return True
    except Refused:
        return False


# 1. Texts, hashes, signatures

ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def quote(text):
    demand(not any("\ud800" <= c <= "\udfff" for c in text), "surrogate")
    return '"' + "".join(ESCAPES.get(c) or (f"\\u{ord(c):04x}" if c < " " else c) for c in text) + '"'


def utf16(name):
    return name.encode("utf-16-be", "surrogatepass")


def canonical(value):
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, list):
        return "[" + ",".join(canonical(item) for item in value) + "]"
    demand(isinstance(value, dict), "number")
    return "{" + ",".join(f"{quote(name)}:{canonical(value[name])}" for name in sorted(value, key=utf16)) + "}"


def read_canonical(text):
    try:
        value = json.loads(text)
    except ValueError:
        raise Refused("not json") from None
    demand(canonical(value) == text, "not canonical")
    return value


def signed_bytes(body):
    value = read_canonical(body)
    demand(isinstance(value, dict) and isinstance(value.get("v"), str), "no type")
    demand(re.fullmatch(r"[a-z]+/[0-9]+", value["v"]), "no type")
    return f"{value['v']}\n{body}".encode()


def sha256(data):
    return hashlib.sha256(data).digest()


def hash_of(body):
    return sha256(signed_bytes(body)).hex()


def unhex(text, length):
    demand(isinstance(text, str) and re.fullmatch(r"[0-9a-f]{%d}" % (2 * length), text), "not hex")
    return bytes.fromhex(text)


def key_id(public_key):
    return sha256(unhex(public_key, 32)).hex()[:16]


def has_members(value, names, fault="members"):
    demand(isinstance(value, dict) and set(value) == set(names), fault)


def check_signed_text(text, public_key):
    has_members(text, ["body", "hash", "signature", "key"])
    data = signed_bytes(text["body"])
    demand(sha256(data).hex() == text["hash"], "hash")
    demand(key_id(public_key) == text["key"], "key")
    demand(ed25519.verify(unhex(public_key, 32), unhex(text["signature"], 64), data), "signature")


# 2. Trees


def leaf_hash(body):
    return sha256(b"\0" + signed_bytes(body))


def node_hash(left, right):
    return sha256(b"\1" + left + right)


def split_of(size):
    return 1 << (size - 1).bit_length() - 1


def root_of(leaves):
    if len(leaves) == 1:
        return leaves[0]
    split = split_of(len(leaves))
    return node_hash(root_of(leaves[:split]), root_of(leaves[split:]))


def root_from_path(leaf, index, size, path):
    """By the definition instead of the loop of RFC 9162: the last hash of the path is beside the halves of the whole list."""
    if size == 1:
        demand(path == [], "path")
        return leaf
    demand(path, "path")
    split = split_of(size)
    if index < split:
        return node_hash(root_from_path(leaf, index, split, path[:-1]), path[-1])
    return node_hash(path[-1], root_from_path(leaf, index - split, size - split, path[:-1]))


def check_tree_text(text, public_key):
    has_members(text, ["body", "hash", "index", "path", "tree"])
    demand(hash_of(text["body"]) == text["hash"], "hash")
    check_signed_text(text["tree"], public_key)
    head = read_canonical(text["tree"]["body"])
    has_members(head, ["root", "size", "v"])
    demand(head["v"] == "tree/1", "tree")
    demand(re.fullmatch(r"[1-9][0-9]{0,8}", head["size"]), "tree")
    demand(isinstance(text["index"], str) and re.fullmatch(r"0|[1-9][0-9]{0,8}", text["index"]), "index")
    size, index = int(head["size"]), int(text["index"])
    demand(index < size and isinstance(text["path"], list), "path")
    root = root_from_path(leaf_hash(text["body"]), index, size, [unhex(h, 32) for h in text["path"]])
    demand(root.hex() == head["root"], "path")


# 3. Keys

TOLERANCE = 10_000


def read_record(key):
    """The record of a published key, or None where it is not one."""
    record = key.get("record")
    try:
        has_members(record, ["body", "signature", "previous_signature"])
        value = read_canonical(record["body"])
        has_members(value, ["from", "id", "prev", "public_key", "use", "v"])
        demand(value["v"] == "key/1" and re.fullmatch(r"[1-9][0-9]{0,14}", value["from"]), "record")
        return value
    except (Refused, TypeError):
        return None


def check_record(key, previous):
    value, record = read_record(key), key["record"]
    demand(value is not None, "record")
    demand((value["use"], value["id"], value["public_key"]) == (key["use"], key["id"], key["public_key"]), "record")
    demand(value["prev"] == previous["id"] and previous["use"] == key["use"], "record")
    data = signed_bytes(record["body"])
    for public_key, name in ((key["public_key"], "signature"), (previous["public_key"], "previous_signature")):
        demand(ed25519.verify(unhex(public_key, 32), unhex(record[name], 64), data), "signature")


def trust_keys(published, pinned):
    """Trusted keys with their times, and the refused ones."""
    trusted, refused = [], []
    for use in ("index", "receipt", "ledger"):
        keys = []
        for key in (key for key in published if key["use"] == use):
            (keys if key_id(key["public_key"]) == key["id"] else refused).append(key)
        pins = [pin for pin in pinned if pin["use"] == use]
        pinned_ids = {pin["id"] for pin in pins}
        known = {pin["id"]: pin for pin in pins}
        if not pins:
            known = {key["id"]: key for key in keys if key.get("record") is None}
            if not known and keys:
                known = {keys[0]["id"]: keys[0]}
        by_id = {key["id"]: key for key in keys}
        records = {key["id"]: read_record(key) for key in keys if key.get("record") is not None}
        times, is_moving = {}, True
        while is_moving:
            is_moving = False
            for key in keys:
                record = records.get(key["id"])
                if record is None or key["id"] in times:
                    continue
                if key["id"] in known and known[key["id"]]["public_key"] != key["public_key"]:
                    continue
                previous = known.get(record["prev"])
                if previous is None and key["id"] in known:
                    previous = by_id.get(record["prev"])
                if previous is None or not holds(check_record, key, previous):
                    continue
                rivals = [other for other, its in records.items() if its and its["prev"] == record["prev"] and other != key["id"]]
                if rivals and key["id"] not in pinned_ids:
                    continue
                times[key["id"]] = (int(record["from"]), record["prev"])
                known[key["id"]] = key
                known[previous["id"]] = previous
                is_moving = True
        until = {previous: start for start, previous in times.values()}
        for name, key in known.items():
            start = times[name][0] if name in times else None
            trusted.append({"use": use, "id": name, "public_key": key["public_key"], "from": start, "until": until.get(name)})
        refused += [key for key in keys if known.get(key["id"], {}).get("public_key") != key["public_key"]]
    return trusted, refused


def key_for(use, text, keys, at):
    for key in keys:
        if key["use"] == use and key["id"] == text["key"] and key_id(key["public_key"]) == key["id"]:
            demand(key.get("from") is None or at >= key["from"] - TOLERANCE, "key too early")
            demand(key.get("until") is None or at < key["until"] + TOLERANCE, "key too late")
            return key["public_key"]
    raise Refused("key unknown")


# 4. Ticks

STEPS = {
    "families/1": {"BTC": 10000, "ETH": 10000, "BNB": 10000, "SOL": 10000, "XRP": 100, "DOGE": 10, "ADA": 100, "TRX": 10},
    "families/2": {"BTC": 10000, "ETH": 10000, "BNB": 1000, "SOL": 100, "XRP": 10, "DOGE": 1, "ADA": 1, "TRX": 1},
}
COINS = STEPS["families/1"]
LATE_MAX = 60_000
TICK_MEMBERS = ["v", "sym", "seq", "t", "px", "scale", "rule", "src", "excl", "env", "flag", "prev"]
NO_TICK = "0" * 64
REASONS = ("silent", "old", "ahead", "backwards", "stuck", "far")


def number(text, digits=18):
    demand(isinstance(text, str) and re.fullmatch(r"0|[1-9][0-9]{0,%d}" % (digits - 1), text), "number")
    return int(text)


def coin_of(symbol):
    demand(isinstance(symbol, str) and symbol.endswith("USDT") and symbol[:-4] in COINS, "coin")
    return symbol[:-4]


class Tick:
    def __init__(self, body):
        value = read_canonical(body)
        is_late = isinstance(value, dict) and "late" in value
        has_members(value, TICK_MEMBERS + (["late"] if is_late else []))
        demand(not is_late or 1 <= number(value["late"]) <= LATE_MAX, "late")
        demand(value["v"] == "tick/1" and value["scale"] == "6", "type")
        self.coin = coin_of(value["sym"])
        self.seq, self.t, self.px = number(value["seq"]), number(value["t"]), number(value["px"])
        self.rule, self.env, self.prev = value["rule"], value["env"], value["prev"]
        demand(self.env in ("live", "sim", "replay") and value["flag"] in ("jump", ""), "member")
        unhex(self.prev, 32)
        self.is_jump = value["flag"] == "jump"
        self.src, self.excl = [], []
        for entry in self.rows(value["src"], 4):
            self.src.append((entry[0], entry[1], number(entry[2]), number(entry[3])))
        for entry in self.rows(value["excl"], 5):
            name, reason, currency, price, time = entry
            demand(reason in REASONS, "reason")
            said = None if price == "" and time == "" else (number(price), number(time))
            self.excl.append((name, reason, currency, said))

    @staticmethod
    def rows(value, length):
        demand(isinstance(value, list), "list")
        for row in value:
            demand(isinstance(row, list) and len(row) == length and all(isinstance(item, str) for item in row), "row")
        names = [row[0] for row in value]
        demand(names == sorted(names, key=utf16), "order")
        return value

    def candidates(self):
        far = [(currency, said[0]) for _, reason, currency, said in self.excl if reason == "far" and said]
        return [(currency, price) for _, currency, price, _ in self.src] + far


def median(prices):
    prices = sorted(prices)
    half = len(prices) // 2
    return prices[half] if len(prices) % 2 else (prices[half - 1] + prices[half]) // 2


def votes(entries):
    shared = {}
    for currency, price in entries:
        if currency != "USDT":
            shared.setdefault(currency, []).append(price)
    return [price for currency, price in entries if currency == "USDT"] + [median(prices) for prices in shared.values()]


def price_of(rule, coin, entries):
    price = median(votes(entries))
    return price - price % STEPS[rule][coin]


def is_beyond(middle, price, percent):
    return abs(middle - price) * 100 > middle * percent


def is_at_or_beyond(middle, price, percent):
    return abs(middle - price) * 100 >= middle * percent


def check_tick(tick):
    demand(isinstance(tick.rule, str) and tick.rule in STEPS, "rule")
    demand(tick.t > 0 and tick.t % 1000 == 0, "second")
    names = [entry[0] for entry in tick.src + tick.excl]
    demand(len(set(names)) == len(names), "twice")
    demand(tick.px > 0 and all(price > 0 for _, price in tick.candidates()), "zero")
    own = [(currency, price) for _, currency, price, _ in tick.src]
    demand(len(own) >= 3 and len(votes(own)) >= 3, "few")
    middle = median(votes(tick.candidates()))
    for _, _, price, time in tick.src:
        demand(tick.t - time <= 5000 and time - tick.t <= 1000, "age")
        demand(not is_beyond(middle, price, 2), "far")
    for _, reason, _, said in tick.excl:
        demand((said is None) == (reason == "silent"), "unfounded")
        if reason == "old":
            demand(tick.t - said[1] > 5000, "unfounded")
        if reason == "ahead":
            demand(said[1] - tick.t > 1000, "unfounded")
        if reason == "far":
            demand(tick.t - said[1] <= 5000 and said[1] - tick.t <= 1000, "unfounded")
            demand(is_at_or_beyond(middle, said[0], 1), "unfounded")
    demand(price_of(tick.rule, tick.coin, own) == tick.px, "price")


def check_link(tick, before, hash_before):
    demand(tick.coin == before.coin, "coin")
    demand(tick.seq == before.seq + 1 and tick.t > before.t, "sequence")
    demand(tick.prev == hash_before, "previous")
    demand(tick.is_jump == is_beyond(before.px, tick.px, 20), "jump")
    if tick.t != before.t + 1000:
        return
    middle = median(votes(tick.candidates()))
    was_far = {name for name, reason, _, _ in before.excl if reason == "far"}
    was_used = {name for name, _, _, _ in before.src}
    was_said = {name: price for name, _, price, _ in before.src}
    was_said.update({name: said[0] for name, _, _, said in before.excl if said})
    for name, _, price, _ in tick.src:
        demand(not (name in was_far and is_at_or_beyond(middle, price, 1)), "far")
    for name, reason, _, said in tick.excl:
        if reason == "far" and name in was_used:
            demand(is_beyond(middle, said[0], 2), "unfounded")
        if reason == "stuck" and name in was_said:
            demand(said[0] == was_said[name], "unfounded")


def check_page(items, keys, before=None):
    """Consecutive ticks as `GET /proof/ticks` gives them; those without a signature are covered by the next one that has its own."""
    is_open = False
    for text in items:
        has_members(text, ["body", "hash", "signature", "key"])
        tick = Tick(text["body"])
        demand(hash_of(text["body"]) == text["hash"], "hash")
        is_open = text["signature"] == "" and text["key"] == ""
        if not is_open:
            check_signed_text(text, key_for("index", text, keys, tick.t))
        check_tick(tick)
        if before is not None:
            check_link(tick, Tick(before["body"]), before["hash"])
        else:
            demand(tick.seq != 1 or tick.prev == NO_TICK, "previous")
        before = text
    demand(not is_open, "signature missing")


# 5. Terms

OLD_TERMS = ["v", "order", "acct", "sym", "dir", "stake", "asset", "rate_bps", "fee_bps", "accepted", "dur", "entry_rule"]
OLD_TERMS += ["exit_rule", "eq", "max_gap", "terms", "env"]
FIXED = {"asset": "USDT", "entry_rule": "first t>accepted", "exit_rule": "last t<=accepted+dur", "eq": "refund", "max_gap": "3000"}


class Terms:
    def __init__(self, body):
        value = read_canonical(body)
        demand(isinstance(value, dict) and value.get("v") in ("opt/1", "opt/2"), "type")
        is_new = value["v"] == "opt/2"
        has_members(value, OLD_TERMS + (["arrived", "nonce"] if is_new else []))
        demand(all(isinstance(member, str) for member in value.values()), "member")
        demand(all(value[name] == fixed for name, fixed in FIXED.items()), "rules of settlement")
        demand(value["dir"] in ("up", "down") and value["env"] in ("live", "sim", "replay"), "member")
        self.value, self.coin = value, coin_of(value["sym"])
        self.stake, self.rate, self.fee = (number(value[name], 15) for name in ("stake", "rate_bps", "fee_bps"))
        self.accepted, self.duration = number(value["accepted"], 15), number(value["dur"], 15)
        self.expiry = self.accepted + self.duration
        self.arrived = number(value["arrived"], 15) if is_new else None
        demand(not is_new or re.fullmatch(r"|[A-Za-z0-9_-]{22,64}", value["nonce"]), "nonce")


# 6. The answer to a purchase


def check_moment(terms, sent, answered, newest_tick):
    demand(newest_tick is None or terms.accepted >= newest_tick + 1000, "seen")
    if terms.arrived is not None:
        demand(sent - 500 <= terms.arrived <= answered + 500, "arrival")
        demand(terms.accepted >= terms.arrived + 1000, "early")
    demand(sent + 500 <= terms.accepted <= answered + 1500, "acceptance")


# 7. The receipt

TICKS = ("before_start", "start", "end", "after_end")


def check_shape(receipt):
    has_members(receipt, ["v", "terms", "account", "ticks", "result", "transfers"])
    demand(receipt["v"] == "receipt/1", "type")
    terms = receipt["terms"]
    has_members(terms, ["body", "hash", "index", "path", "tree"])
    has_members(terms["tree"], ["body", "hash", "signature", "key"])
    has_members(receipt["account"], ["salt", "customer"])
    has_members(receipt["ticks"], TICKS)
    for text in receipt["ticks"].values():
        if text is not None:
            has_members(text, ["body", "hash", "signature", "key"])
    has_members(receipt["result"], ["status", "reason", "profit", "fee", "credited"])
    demand(isinstance(receipt["transfers"], list), "transfers")
    for transfer in receipt["transfers"]:
        has_members(transfer, ["seq", "kind", "from", "to", "asset", "amount", "resolves"])
    demand(are_texts(receipt), "text")


def are_texts(value):
    if isinstance(value, dict):
        return all(are_texts(member) for member in value.values())
    if isinstance(value, list):
        return all(are_texts(item) for item in value)
    return value is None or isinstance(value, str)


# 8. Ticks of a receipt


def check_ticks(receipt, terms, ticks, keys, newest_tick):
    """True when a tick that could show otherwise does not exist yet."""
    texts, reason, is_pending = receipt["ticks"], receipt["result"]["reason"], False
    for name, tick in ticks.items():
        if tick is None:
            continue
        check_signed_text(texts[name], key_for("index", texts[name], keys, tick.t))
        demand(tick.coin == terms.coin and tick.env == terms.value["env"], "coin")
        check_tick(tick)
    before, start, end, after = (ticks[name] for name in TICKS)

    demand(before is None or before.t <= terms.accepted, "before start")
    if start is None:
        demand(reason == "no_start_tick", "start")
        demand(newest_tick is None or newest_tick <= terms.accepted, "start")
        is_pending = True
    else:
        demand(start.t > terms.accepted, "start")
        if before is None:
            demand(start.seq == 1 and start.prev == NO_TICK, "before start")
        else:
            check_link(start, before, texts["before_start"]["hash"])

    if reason == "no_start_tick":
        demand(end is None and after is None, "end")
        return is_pending
    demand(end is not None and start is not None and end.t <= terms.expiry and end.seq >= start.seq, "end")
    if end.seq == start.seq:
        demand(texts["end"]["hash"] == texts["start"]["hash"], "end")
    elif end.seq == start.seq + 1:
        check_link(end, start, texts["start"]["hash"])
    else:
        demand(end.seq - start.seq <= (end.t - start.t) // 1000, "end")
    if after is not None:
        demand(after.t > terms.expiry, "after end")
        check_link(after, end, texts["end"]["hash"])
    elif end.t + 1000 <= terms.expiry:
        demand(receipt["result"]["status"] == "void" or newest_tick is not None, "after end")
        demand(newest_tick is None or newest_tick <= terms.expiry, "after end")
        is_pending = True
    return is_pending


# 9. Result


def win_of(terms):
    profit = terms.stake * terms.rate // 10000
    return profit, -(-profit * terms.fee // 10000)


def result_of(terms, start, end):
    profit, fee = win_of(terms)
    if start is None or start.t - terms.accepted > 3000:
        return "void", "no_start_tick", 0, 0, terms.stake
    if end is None or terms.expiry - end.t > 3000:
        return "void", "no_end_tick", 0, 0, terms.stake
    if end.px == start.px:
        return "tie", None, 0, 0, terms.stake
    if (end.px > start.px) == (terms.value["dir"] == "up"):
        return "won", None, profit, fee, terms.stake + profit - fee
    return "lost", None, -terms.stake, 0, 0


def check_result(receipt, expected):
    result = receipt["result"]
    said = tuple(result[name] for name in ("status", "reason", "profit", "fee", "credited"))
    demand(said == expected[:2] + tuple(str(units) for units in expected[2:]), "result")


# 10. Transfers


def check_transfers(receipt, terms, expected):
    status, fee = expected[0], expected[3]
    spot, pool = "customer:spot", "house:options_pool"
    promised = win_of(terms)[0]
    rows = [
        ("hold", spot, pool, terms.stake, None),
        ("hold", pool, spot, promised, None),
        ("post" if status == "lost" else "void", spot, pool, terms.stake, 0),
        ("post" if status == "won" else "void", pool, spot, promised, 1),
    ]
    if status == "won" and fee > 0:
        rows.append(("single", spot, "house:fee_income", fee, None))
    transfers = receipt["transfers"]
    demand(len(transfers) == len(rows), "count")
    for transfer, (kind, source, target, amount, resolves) in zip(transfers, rows):
        demand(transfer["kind"] == kind and transfer["asset"] == "USDT", "transfer")
        demand((transfer["from"], transfer["to"], transfer["amount"]) == (source, target, str(amount)), "transfer")
        demand(transfer["resolves"] == (None if resolves is None else transfers[resolves]["seq"]), "transfer")
        demand(isinstance(transfer["seq"], str) and re.fullmatch(r"[1-9][0-9]{0,17}", transfer["seq"]), "seq")
    numbers = [int(transfer["seq"]) for transfer in transfers]
    demand(numbers[1] == numbers[0] + 1 and numbers[2] > numbers[1], "seq")
    demand(all(later == earlier + 1 for earlier, later in zip(numbers[2:], numbers[3:])), "seq")


# 11. All checks


def verify_receipt(receipt, keys, rules_hash=None, newest_tick=None):
    """Raises what is wrong first; True when the receipt is pending."""
    check_shape(receipt)
    terms = Terms(receipt["terms"]["body"])
    check_tree_text(receipt["terms"], key_for("receipt", receipt["terms"]["tree"], keys, terms.accepted))
    account = receipt["account"]
    seal = sha256(f"{account['salt']}:{account['customer']}".encode()).hex()
    demand(seal == terms.value["acct"], "account")
    demand(rules_hash is None or terms.value["terms"] == rules_hash, "rules")
    ticks = {name: text and Tick(text["body"]) for name, text in receipt["ticks"].items()}
    is_pending = check_ticks(receipt, terms, ticks, keys, newest_tick)
    expected = result_of(terms, ticks["start"], ticks["end"])
    check_result(receipt, expected)
    check_transfers(receipt, terms, expected)
    return is_pending


# 12. What somebody who was there compares


def find_fork(seen, texts, head):
    shown = {Tick(text["body"]).seq: hash_of(text["body"]) for text in texts}
    if head is not None:
        shown[int(head["sequence"])] = head["hash"]
    for tick in sorted(seen, key=lambda tick: int(tick["sequence"])):
        sequence = int(tick["sequence"])
        if shown.get(sequence, tick["hash"]) != tick["hash"]:
            return "rewritten"
        if int(head["sequence"]) < sequence if head is not None else not texts:
            return "rolled_back"
    return None


def check_public_chain(ticks, texts):
    hashes, before = {}, None
    for text in texts:
        tick = Tick(text["body"])
        if before is not None:
            check_link(tick, before, hashes[before.seq])
        hashes[tick.seq] = hash_of(text["body"])
        before = tick
    for text in ticks.values():
        if text is not None:
            demand(hashes.get(Tick(text["body"]).seq) == hash_of(text["body"]), "chain")


NAMES = {"order": "order", "account": "acct", "coin": "sym", "direction": "dir", "stake": "stake", "payout": "rate_bps"}
NAMES.update({"fee": "fee_bps", "acceptance": "accepted", "duration": "dur", "rules": "terms", "environment": "env"})
NAMES.update({"arrival": "arrived", "nonce": "nonce"})


def differences(kept, shown):
    a, b = Terms(kept).value, Terms(shown).value
    return {name for name, member in NAMES.items() if a.get(member, "") != b.get(member, "")}


# 14. Test vectors


class Tally:
    def __init__(self):
        self.count, self.faults = 0, []

    def expect(self, what, found, wanted):
        self.count += 1
        if found != wanted:
            self.faults.append(f"{what}: found {found}, the vectors say {wanted}")


def read_times(keys):
    return [dict(key, **{"from": key.get("from_ms"), "until": key.get("until_ms")}) for key in keys]


def run_vectors(folder):
    def load(name):
        return load_json(f"{folder}/{name}")

    tally = Tally()
    texts = load("texts.json")
    for text in texts["canonical"]["texts"]:
        tally.expect(f"canonical {text}", holds(read_canonical, text), True)
    for text in texts["canonical"]["refused"]:
        tally.expect(f"refused {text}", holds(read_canonical, text), False)
    signatures = texts["signatures"]
    tally.expect("key id", key_id(signatures["public_key"]), signatures["key"])
    for text in signatures["texts"]:
        tally.expect("signed bytes", signed_bytes(text["body"]).hex(), text["signed_bytes"])
        signed = {name: text[name] for name in ("body", "hash", "signature", "key")}
        tally.expect("signature", holds(check_signed_text, signed, signatures["public_key"]), True)
        broken = dict(signed, signature=signed["signature"][:-1] + ("1" if signed["signature"][-1] == "0" else "0"))
        tally.expect("broken signature", holds(check_signed_text, broken, signatures["public_key"]), False)
    for body in signatures["unsigned"]:
        tally.expect(f"no signed text {body}", holds(signed_bytes, body), False)
    seal = signatures["seal"]
    tally.expect("seal", sha256(f"{seal['salt']}:{seal['customer']}".encode()).hex(), seal["seal"])
    for tree in texts["trees"]:
        for proof in tree["proofs"]:
            path = [bytes.fromhex(item) for item in proof["path"]]
            root = root_from_path(leaf_hash(proof["body"]), int(proof["index"]), int(tree["size"]), path)
            tally.expect(f"root of {tree['size']}", root.hex(), tree["root"])

    prices = load("prices.json")
    steps = {rule: {coin: str(step) for coin, step in of_rule.items()} for rule, of_rule in STEPS.items()}
    tally.expect("steps", steps, prices["steps"])
    for case in prices["medians"]:
        entries = [(currency, int(price)) for currency, price in case["used"]]
        tally.expect(case["name"], str(price_of(case["rule"], case["coin"], entries)), case["price"])

    ticks = load("ticks.json")
    for case in ticks["ticks"]:

        def check(case=case):
            check_signed_text(case["text"], ticks["key"]["public_key"])
            tick = Tick(case["text"]["body"])
            check_tick(tick)
            if case["previous"] is not None:
                check_link(tick, Tick(case["previous"]["body"]), case["previous"]["hash"])

        tally.expect(f"tick: {case['name']}", holds(check), case["ok"])

    for case in ticks["pages"]:
        found = holds(check_page, case["items"], read_times(case["keys"]), case["before"])
        tally.expect(f"page: {case['name']}", found, case["ok"])

    receipts = load("receipts.json")
    for case in receipts["terms"]:
        tally.expect(f"terms {case['body']}", holds(Terms, case["body"]), case["ok"])
    for case in receipts["receipts"]:
        known = case["known"]
        newest = known["newest_tick_ms"] and int(known["newest_tick_ms"])
        try:
            is_pending, verified = verify_receipt(case["receipt"], read_times(case["keys"]), known["rules_hash"], newest), True
        except Refused:
            is_pending, verified = False, False
        tally.expect(f"receipt: {case['name']}", verified, case["verified"])
        if verified:
            tally.expect(f"pending: {case['name']}", is_pending, len(case["pending"]) > 0)

    for case in load("keys.json"):
        trusted, refused = trust_keys(case["published"], case["pinned"])
        found = sorted((key["public_key"], key["from"], key["until"]) for key in trusted)
        wanted = sorted(
            (key["public_key"], key["from"] and int(key["from"]), key["until"] and int(key["until"]))
            for key in case["trusted"]
        )
        tally.expect(f"keys: {case['name']}", found, wanted)
        tally.expect(
            f"refused keys: {case['name']}",
            sorted(key["public_key"] for key in refused),
            sorted(key["public_key"] for key in case["refused"]),
        )
        published = {key["public_key"] for key in case["published"]}
        gone = [key["public_key"] for key in case["pinned"] if key["public_key"] not in published]
        tally.expect(f"withdrawn keys: {case['name']}", gone, case["withdrawn"])

    memory = load("memory.json")
    for case in memory["forks"]:
        tally.expect(f"fork: {case['name']}", find_fork(case["seen"], case["texts"], case["head"]), case["fork"])
    for case in memory["public_chains"]:
        found = holds(check_public_chain, case["ticks"], case["texts"])
        tally.expect(f"public chain: {case['name']}", found, case["fault"] is None)
    for case in memory["terms"]:
        tally.expect("kept terms", differences(case["kept"], case["shown"]), set(case["differs"]))
    for case in memory["moments"]:
        newest = case["newest_tick"] and int(case["newest_tick"])
        found = holds(check_moment, Terms(case["body"]), int(case["sent"]), int(case["answered"]), newest)
        tally.expect(f"moment {case['sent']}", found, case["fault"] is None)
    return tally


def load_json(file_name):
    with open(file_name, encoding="utf-8") as file:
        return json.load(file)


def verdicts(file_name):
    cases = load_json(file_name)
    return [holds(verify_receipt, case["receipt"], case["keys"]) for case in cases]


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "--verdicts":
        print(json.dumps(verdicts(arguments[1])))
        return 0
    if len(arguments) == 2 and arguments[0] == "--vectors":
        tally = run_vectors(arguments[1])
        for fault in tally.faults:
            print(fault)
        print(f"{tally.count - len(tally.faults)} of {tally.count} vectors agree.")
        return 1 if tally.faults else 0
    if len(arguments) != 2 and not (len(arguments) > 3 and arguments[2] == "--pages"):
        print(__doc__)
        return 2
    receipt, keys, *pages = [load_json(name) for name in arguments if name != "--pages"]
    keys, refused = trust_keys(keys.get("data", keys)["keys"], [])
    for key in refused:
        print(f"The key {key['id']} is not announced by another one, and not used.")
    try:
        is_pending = verify_receipt(receipt, keys)
        if pages:
            items = [item for page in pages for item in page.get("data", page)["items"]]
            check_page(items, keys)
            check_public_chain(receipt["ticks"], items)
    except Refused as fault:
        print(f"NOT VERIFIED: {fault}")
        return 1
    if pages:
        print(f"The {len(items)} public ticks are one chain and hold those of the receipt.")
    print("Verified." + (" Nothing has been published since that could show otherwise; look again later." if is_pending else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
