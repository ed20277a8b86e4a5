-- Corrections of customers' balances: one operator proposes, another approves, and the money moves with that vote. A
-- debit names the wrong transfer, is announced a day before, and takes at most the available balance.
CREATE SCHEMA corrections;
GRANT USAGE ON SCHEMA corrections TO sathorn_app, sathorn_checker;

-- One correction, from its proposal to its end.
CREATE TABLE corrections.correction (
  id uuid PRIMARY KEY,
  number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  customer_id bigint NOT NULL CHECK (customer_id > 0),
  -- refund: returns what was taken wrongly. goodwill: pays although there was no error. reverse: takes back a wrong
  -- credit.
  kind text NOT NULL CHECK (kind IN ('refund', 'goodwill', 'reverse')),
  asset text NOT NULL,
  units bigint NOT NULL CHECK (units > 0),
  -- The house's account that pays the correction, or is repaid.
  house smallint NOT NULL CHECK (house IN (200, 210, 220, 280)),
  -- The wrong transfer. A refund may name a deposit that was never credited instead.
  transfer bigint,
  deposit uuid,
  reason text NOT NULL CHECK (reason IN ('charged_twice', 'fee_wrong', 'credited_wrongly', 'settlement_fault',
    'deposit_lost', 'kept_receipt', 'goodwill', 'reorg')),
  words text NOT NULL CHECK (length(words) BETWEEN 1 AND 1000),
  case_kind text NOT NULL CHECK (case_kind IN ('dispute', 'journal', 'incident', 'deposit', 'kept')),
  case_id uuid NOT NULL,
  approval uuid NOT NULL UNIQUE,
  made_by bigint NOT NULL,
  made_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  step text NOT NULL DEFAULT 'proposed' CHECK (step IN ('proposed', 'announced', 'done', 'stopped', 'rejected',
    'withdrawn', 'expired')),
  version integer NOT NULL DEFAULT 0,
  -- When an announced debit is taken.
  due_at timestamptz,
  -- The units that moved. If the account has less, a debit takes less; if it is empty, there is no journal.
  moved bigint NOT NULL DEFAULT 0 CHECK (moved >= 0 AND moved <= units),
  journal uuid UNIQUE,
  ended_at timestamptz,
  stopped_by bigint,
  -- A refund names a wrong transfer, a lost deposit or a kept receipt.
  kept text,
  CHECK ((house = 280) >= (kind = 'goodwill')),
  CHECK (kind <> 'goodwill' OR (asset = 'USDT' AND units <= 200000000 AND transfer IS NULL AND deposit IS NULL)),
  CHECK (kind <> 'refund' OR (house <> 280 AND num_nonnulls(transfer, deposit, kept) = 1)),
  CHECK (kind <> 'reverse' OR (transfer IS NOT NULL AND deposit IS NULL)),
  CHECK ((due_at IS NOT NULL) >= (step IN ('announced', 'stopped')) AND (kind = 'reverse' OR due_at IS NULL)),
  CHECK ((journal IS NOT NULL) = (moved > 0) AND (moved = 0 OR step = 'done')),
  CHECK (step <> 'done' OR kind = 'reverse' OR moved = units),
  CHECK ((step IN ('proposed', 'announced')) = (ended_at IS NULL)),
  CHECK ((step = 'stopped') = (stopped_by IS NOT NULL)),
  CONSTRAINT correction_kept CHECK ((kept IS NOT NULL) = (reason = 'kept_receipt')
    AND (kept IS NOT NULL) = (case_kind = 'kept') AND (kept IS NULL OR (kind = 'refund' AND asset = 'USDT')))
);
CREATE INDEX correction_open ON corrections.correction (made_at, id) WHERE step IN ('proposed', 'announced');
CREATE INDEX correction_of_customer ON corrections.correction (customer_id, number DESC);
CREATE INDEX correction_of_transfer ON corrections.correction (transfer) WHERE transfer IS NOT NULL;
CREATE INDEX correction_of_deposit ON corrections.correction (deposit) WHERE deposit IS NOT NULL;
CREATE INDEX correction_of_case ON corrections.correction (case_kind, case_id);
CREATE INDEX correction_of_maker ON corrections.correction (made_by, made_at DESC);
CREATE UNIQUE INDEX correction_of_kept ON corrections.correction (kept) WHERE kept IS NOT NULL
  AND step IN ('proposed', 'announced', 'done');
GRANT SELECT ON corrections.correction TO sathorn_app, sathorn_checker;
GRANT INSERT (id, customer_id, kind, asset, units, house, transfer, deposit, reason, words, case_kind, case_id,
  approval, made_by, made_at, expires_at, kept), UPDATE (step, version, due_at, moved, journal, ended_at, stopped_by)
  ON corrections.correction TO sathorn_app;

-- True if two corrections are about the same original.
CREATE FUNCTION corrections.is_same(_c corrections.correction, _content jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE SET search_path = corrections, pg_temp AS $$
  SELECT (_content ->> 'customer' = _c.customer_id::text AND _content ->> 'kind' = _c.kind AND _content ->> 'asset' = _c.asset
    AND _content ->> 'units' = _c.units::text AND _content ->> 'house' = _c.house::text AND _content ->> 'transfer' IS NOT DISTINCT FROM _c.transfer::text
    AND _content ->> 'deposit' IS NOT DISTINCT FROM _c.deposit::text AND _content ->> 'kept' IS NOT DISTINCT FROM _c.kept
    AND _content ->> 'reason' = _c.reason AND _content ->> 'words' = _c.words
    AND _content ->> 'case_kind' = _c.case_kind AND _content ->> 'case_id' = _c.case_id::text) IS TRUE
$$;

-- True if two different people decided exactly what the row says.
CREATE FUNCTION corrections.is_agreed(_c corrections.correction) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = corrections, pg_temp AS $$
  SELECT EXISTS (SELECT FROM operators.approval a WHERE a.id = _c.approval AND a.kind = 'correction' AND a.subject = _c.id::text
    AND a.status = 'approved' AND a.made_by = _c.made_by AND corrections.is_same(_c, a.content::jsonb)
    AND EXISTS (SELECT FROM operators.vote v WHERE v.approval = a.id AND v.decision = 'approve' AND v.operator <> a.made_by))
$$;

-- The units of a transfer or lost deposit that corrections have used or are waiting to use. Rejected and stopped ones
-- don't count.
CREATE FUNCTION corrections.taken_of(_transfer bigint, _deposit uuid) RETURNS numeric
LANGUAGE sql STABLE SET search_path = corrections, pg_temp AS $$
  SELECT coalesce(sum(CASE WHEN step = 'done' THEN moved ELSE units END), 0) FROM corrections.correction
  WHERE (transfer = _transfer OR deposit = _deposit) AND step IN ('proposed', 'announced', 'done')
$$;

-- Allows a correction to pay only a bank order that ended without a credit, or an open case on another network. It must
-- not pay another transfer on a chain: one that left its block may return and be credited then, and one that was sent
-- back is not lost.
CREATE FUNCTION corrections.check_made() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = corrections, pg_temp AS $$
DECLARE
  a operators.approval;
  limit_of numeric;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('correction:' || coalesce(NEW.transfer::text, NEW.deposit::text, NEW.id::text), 0));
  SELECT * INTO a FROM operators.approval WHERE id = NEW.approval;
  IF (NEW.step = 'proposed' AND a.kind = 'correction' AND a.subject = NEW.id::text AND a.status = 'waiting' AND a.made_by = NEW.made_by
    AND NEW.customer_id = ANY (a.about) AND corrections.is_same(NEW, a.content::jsonb)) IS NOT TRUE THEN
    RAISE EXCEPTION 'correction %: no such proposal', NEW.id USING ERRCODE = 'CR001';
  END IF;
  IF EXISTS (SELECT FROM operators.operator o WHERE o.id = NEW.made_by AND o.customer = ANY (a.about)) THEN
    RAISE EXCEPTION 'correction %: by somebody whom it concerns', NEW.id USING ERRCODE = 'CR001';
  END IF;
  IF NEW.transfer IS NOT NULL THEN
    SELECT t.units INTO limit_of FROM ledger.transfer t
    JOIN ledger.account mine ON mine.id = CASE NEW.kind WHEN 'refund' THEN t.debit ELSE t.credit END
    WHERE t.sequence = NEW.transfer AND t.kind IN ('s', 'p') AND t.asset = NEW.asset AND mine.owner = NEW.customer_id AND mine.code = 1000;
  ELSIF NEW.deposit IS NOT NULL THEN
    SELECT d.amount INTO limit_of FROM deposits.deposit d
    WHERE d.id = NEW.deposit AND d.customer_id = NEW.customer_id AND NEW.asset = 'USDT'
      AND CASE WHEN d.network IS NULL THEN d.kind <> 'crypto' AND d.step IN ('returned', 'failed') ELSE d.step = 'recovery' OR d.ending = 'credited' END;
  ELSE
    limit_of := NEW.units;
  END IF;
  IF (corrections.taken_of(NEW.transfer, NEW.deposit) + NEW.units <= limit_of) IS NOT TRUE THEN
    RAISE EXCEPTION 'correction %: more than there is to correct', NEW.id USING ERRCODE = 'CR002';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_made BEFORE INSERT ON corrections.correction FOR EACH ROW
  EXECUTE FUNCTION corrections.check_made();

-- Requires an approval before a correction moves money, and an announcement a day before a debit.
CREATE FUNCTION corrections.check_move() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = corrections, pg_temp AS $$
BEGIN
  IF TG_OP <> 'UPDATE' OR to_jsonb(OLD) - '{step,version,due_at,moved,journal,ended_at,stopped_by}'::text[]
      <> to_jsonb(NEW) - '{step,version,due_at,moved,journal,ended_at,stopped_by}'::text[] OR NEW.version <> OLD.version + 1 THEN
    RAISE EXCEPTION 'append-only: % on corrections.correction', TG_OP USING ERRCODE = 'CR003';
  END IF;
  IF NOT (OLD.step = 'proposed' AND NEW.step IN (CASE OLD.kind WHEN 'reverse' THEN 'announced' ELSE 'done' END, 'rejected', 'withdrawn', 'expired')
    OR OLD.step = 'announced' AND NEW.step IN ('done', 'stopped')) THEN
    RAISE EXCEPTION 'a correction can''t move from % to %', OLD.step, NEW.step USING ERRCODE = 'CR003';
  END IF;
  IF NEW.step IN ('announced', 'done') AND NOT corrections.is_agreed(NEW) THEN
    RAISE EXCEPTION 'nobody agreed to correction %', NEW.id USING ERRCODE = 'CR001';
  END IF;
  -- The customer can object for a day before money is taken.
  IF NEW.step = 'announced' AND NEW.due_at < clock_timestamp() + interval '23 hours 59 minutes'
    OR OLD.step = 'announced' AND NEW.due_at <> OLD.due_at OR OLD.step = 'announced' AND NEW.step = 'done' AND clock_timestamp() < OLD.due_at THEN
    RAISE EXCEPTION 'correction % is announced a day before', NEW.id USING ERRCODE = 'CR003';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_move BEFORE UPDATE OR DELETE ON corrections.correction FOR EACH ROW
  EXECUTE FUNCTION corrections.check_move();

-- Closes corrections whose approvals ended without effect; returns how many.
CREATE FUNCTION corrections.close_ended() RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = corrections,
  pg_temp AS $$
  WITH ended AS (
    UPDATE corrections.correction c SET version = c.version + 1, ended_at = coalesce(a.decided_at, clock_timestamp()),
      step = CASE a.status WHEN 'rejected' THEN 'rejected' WHEN 'withdrawn' THEN 'withdrawn' ELSE 'expired' END
    FROM operators.approval a WHERE c.step = 'proposed' AND a.id = c.approval AND a.status IN ('rejected', 'withdrawn', 'expired', 'stale') RETURNING 1)
  SELECT count(*) FROM ended
$$;

-- The operators who took part in an original, including who released or returned a payout. They may neither propose nor
-- approve its correction.
CREATE FUNCTION corrections.people_of(_transfer bigint) RETURNS bigint[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = corrections, pg_temp AS $$
  WITH original AS (
    SELECT t.journal, coalesce(t.resolves, t.sequence) AS hold FROM ledger.transfer t WHERE t.sequence = _transfer
  ), subjects AS (
    SELECT c.id::text AS id FROM original o JOIN corrections.correction c ON c.journal = o.journal
    UNION SELECT d.id::text FROM original o JOIN deposits.deposit d ON d.journal = o.journal
    UNION SELECT w.id::text FROM original o JOIN withdrawals.withdrawal w ON w.hold = o.hold
    UNION SELECT w.id::text FROM original o JOIN withdrawals.withdrawal w ON w.fee_hold = o.hold
  ), asked AS (
    SELECT a.id, a.status, a.made_by FROM subjects s JOIN operators.approval a ON a.subject = s.id AND a.kind IN ('correction', 'deposit_match',
      'deposit_recovery', 'withdrawal', 'withdrawal_paid', 'withdrawal_failed', 'withdrawal_lost', 'payout_release', 'payout_return')
  ), people AS (
    SELECT a.made_by AS id FROM asked a WHERE a.status = 'approved'
    UNION SELECT v.operator FROM asked a JOIN operators.vote v ON v.approval = a.id
    UNION SELECT e.operator FROM subjects s JOIN operators.entry e ON e.kind IN ('deposit', 'withdrawal') AND e.subject = s.id
      AND e.what IN ('deposit.matched', 'withdrawal.reconciled')
  )
  SELECT coalesce(array_agg(id) FILTER (WHERE id IS NOT NULL), '{}') FROM people
$$;

-- Rejects a proposal by somebody who took part in the original.
CREATE FUNCTION corrections.check_maker() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = corrections, pg_temp AS $$
BEGIN
  IF NEW.transfer IS NOT NULL AND NEW.made_by = ANY (corrections.people_of(NEW.transfer)) THEN
    RAISE EXCEPTION 'correction %: by somebody who took part in the original', NEW.id USING ERRCODE = 'CR001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_maker BEFORE INSERT ON corrections.correction FOR EACH ROW
  EXECUTE FUNCTION corrections.check_maker();

-- Allows a refund of a case only if it is open, once per transaction, and not by its opener.
CREATE FUNCTION corrections.check_network_case() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = corrections, pg_temp AS $$
DECLARE
  d deposits.deposit;
BEGIN
  -- Waits for a decision that is closing the case.
  SELECT * INTO d FROM deposits.deposit WHERE id = NEW.deposit FOR SHARE;
  IF (d.network IS NOT NULL AND NEW.kind = 'refund' AND NEW.asset = 'USDT' AND (d.step = 'recovery' OR d.ending = 'credited')) IS NOT TRUE THEN
    RAISE EXCEPTION 'correction %: deposit % is no open case', NEW.id, NEW.deposit USING ERRCODE = 'CR001';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('correction:' || d.network || d.network_hash, 0));
  IF corrections.taken_by_others(d.id) > 0 THEN
    RAISE EXCEPTION 'correction %: another case of its transaction is paid', NEW.id USING ERRCODE = 'CR002';
  END IF;
  IF NEW.made_by = d.opened_by
    OR NEW.step = 'done' AND EXISTS (SELECT FROM operators.vote v WHERE v.approval = NEW.approval AND v.operator = d.opened_by) THEN
    RAISE EXCEPTION 'correction %: by the opener of its case', NEW.id USING ERRCODE = 'CR001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_network_case BEFORE INSERT OR UPDATE ON corrections.correction FOR EACH ROW
  WHEN (NEW.deposit IS NOT NULL AND NEW.step IN ('proposed', 'done'))
  EXECUTE FUNCTION corrections.check_network_case();

-- The sum of recent corrections in one direction, for this customer or by this maker, so that many small corrections
-- count as one large.
CREATE FUNCTION corrections.sum_lately(_customer bigint, _maker bigint, _asset text, _is_debit boolean)
  RETURNS numeric
LANGUAGE plpgsql SET search_path = corrections, pg_temp AS $$
BEGIN
  -- Held until the proposal is stored, so that two at once count each other.
  PERFORM pg_advisory_xact_lock(hashtextextended('corrections lately', 0));
  RETURN (SELECT coalesce(sum(CASE WHEN step = 'done' THEN moved ELSE units END), 0) FROM corrections.correction
    WHERE asset = _asset AND (kind = 'reverse') = _is_debit AND step IN ('proposed', 'announced', 'done')
      AND (customer_id = _customer AND made_at > clock_timestamp() - interval '30 days' OR made_by = _maker AND made_at > clock_timestamp() - interval '24 hours'));
END $$;

-- The units up to which a correction counts as small: 3,000 USDT, which is ฿100,000 at 33 baht and needs no price. For
-- other assets it is a thousandth of what the house holds.
CREATE FUNCTION corrections.small_max(_asset text) RETURNS numeric LANGUAGE sql STABLE SET search_path = corrections,
  pg_temp AS $$
  SELECT CASE WHEN _asset <> 'USDT' THEN 0 ELSE least(3000000000, CASE WHEN held > 0 THEN div(held, 1000) END) END
  FROM (SELECT sum(debits_posted - credits_posted) AS held FROM ledger.account WHERE owner = 0 AND code IN (110, 111, 112, 120) AND asset = _asset) outside
$$;

-- Checks who proposes and who approves a correction, and that a large one has compliance's approval.
CREATE FUNCTION corrections.check_roles() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = corrections, pg_temp AS $$
DECLARE
  may_approve text[];
BEGIN
  SELECT a.roles INTO may_approve FROM operators.approval a WHERE a.id = NEW.approval;
  IF TG_OP = 'INSERT' THEN
    IF NOT EXISTS (SELECT FROM operators.operator o WHERE o.id = NEW.made_by AND 'finance' = ANY (o.roles) AND o.removed_at IS NULL AND o.frozen_at IS NULL) THEN
      RAISE EXCEPTION 'correction %: finance proposes it', NEW.id USING ERRCODE = 'CR001';
    END IF;
    IF (may_approve <@ ARRAY['finance', 'compliance', 'admin']) IS NOT TRUE THEN
      RAISE EXCEPTION 'correction %: its approval is open to other roles', NEW.id USING ERRCODE = 'CR001';
    END IF;
    IF may_approve <> ARRAY['compliance']
      AND NEW.units + corrections.sum_lately(NEW.customer_id, NEW.made_by, NEW.asset, NEW.kind = 'reverse') > corrections.small_max(NEW.asset) THEN
      RAISE EXCEPTION 'correction %: compliance approves one of this size', NEW.id USING ERRCODE = 'CR001';
    END IF;
  -- The vote's role is the one that the person had when voting.
  ELSIF NOT EXISTS (SELECT FROM operators.vote v WHERE v.approval = NEW.approval AND v.decision = 'approve' AND v.operator <> NEW.made_by
      AND v.role = ANY (may_approve)) THEN
    RAISE EXCEPTION 'correction %: approved by another role', NEW.id USING ERRCODE = 'CR001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_roles_new BEFORE INSERT ON corrections.correction FOR EACH ROW
  EXECUTE FUNCTION corrections.check_roles();
CREATE TRIGGER check_roles BEFORE UPDATE ON corrections.correction FOR EACH ROW
  WHEN (NEW.step IN ('announced', 'done')) EXECUTE FUNCTION corrections.check_roles();

-- True if a reorganisation has already reversed this credit, so that a correction would take it back twice. It is
-- checked under the lock of the transfer, at the proposal and when the second person agrees. The amounts of other
-- corrections are summed again at each step.
CREATE FUNCTION corrections.is_undone(_transfer bigint) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = corrections, pg_temp AS $$
  SELECT EXISTS (SELECT FROM ledger.transfer t JOIN deposits.reversal r ON r.credit = t.journal WHERE t.sequence = _transfer)
$$;

-- Rejects a correction of more than is left to correct.
CREATE FUNCTION corrections.check_left() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = corrections, pg_temp AS $$
DECLARE
  limit_of numeric;
BEGIN
  IF NEW.transfer IS NULL THEN RETURN NEW; END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('correction:' || NEW.transfer::text, 0));
  SELECT t.units INTO limit_of FROM ledger.transfer t WHERE t.sequence = NEW.transfer;
  IF NEW.kind = 'reverse' AND corrections.is_undone(NEW.transfer) OR NEW.kind = 'refund' AND corrections.is_of_open_payout(NEW.transfer)
    OR TG_OP = 'UPDATE' AND corrections.taken_of(NEW.transfer, NEW.deposit) > limit_of THEN
    RAISE EXCEPTION 'correction %: more than there is to correct', NEW.id USING ERRCODE = 'CR002';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_left BEFORE INSERT ON corrections.correction FOR EACH ROW
  EXECUTE FUNCTION corrections.check_left();
CREATE TRIGGER check_left_again BEFORE UPDATE ON corrections.correction FOR EACH ROW
  WHEN (OLD.step = 'proposed' AND NEW.step IN ('announced', 'done')) EXECUTE FUNCTION corrections.check_left();

-- The units that corrections of other cases of the same transaction on another network have used: otherwise two
-- customers could each be paid for it.
CREATE FUNCTION corrections.taken_by_others(_deposit uuid) RETURNS numeric LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = corrections, pg_temp AS $$
  SELECT coalesce(sum(corrections.taken_of(NULL, o.id)), 0) FROM deposits.deposit d
  JOIN deposits.deposit o ON o.network = d.network AND o.network_hash = d.network_hash AND o.id <> d.id WHERE d.id = _deposit
$$;

-- True if the withdrawal is not done, so that it may still be returned. A refund of the same transfer would then pay
-- twice.
CREATE FUNCTION corrections.is_of_open_payout(_transfer bigint) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = corrections, pg_temp AS $$
  SELECT EXISTS (SELECT FROM ledger.transfer t JOIN withdrawals.withdrawal w ON coalesce(t.resolves, t.sequence) IN (w.hold, w.fee_hold)
    WHERE t.sequence = _transfer AND w.step <> 'done')
$$;
CREATE TRIGGER after_restoration BEFORE UPDATE ON corrections.correction FOR EACH ROW
  WHEN (NEW.step = 'done' AND OLD.step <> 'done') EXECUTE FUNCTION withdrawals.refuse_unreconciled();

-- False while a restoration waits for its reconciliation, because the lost time may already contain the correction.
CREATE FUNCTION corrections.may_post() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = corrections, pg_temp AS $$
  SELECT withdrawals.unreconciled_since() IS NULL
$$;

-- Signed terms and receipts that customers' devices kept from the time that a restoration lost, each stored once, and
-- the correction that pays the worth of a receipt. One row per customer and restoration is the case that people name.
CREATE TABLE corrections.kept_case (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  customer_id bigint NOT NULL CHECK (customer_id > 0),
  restoration bigint NOT NULL REFERENCES proofs.restoration,
  opened_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (customer_id, restoration)
);
GRANT SELECT ON corrections.kept_case TO sathorn_app, sathorn_checker;
GRANT INSERT (customer_id, restoration) ON corrections.kept_case TO sathorn_app;

-- The credit of a purchase with these signed terms and this outcome. The profit is rounded down, its fee up.
CREATE FUNCTION corrections.credited_by(_terms jsonb, _ended text) RETURNS numeric
LANGUAGE sql IMMUTABLE SET search_path = corrections, pg_temp AS $$
  SELECT CASE _ended WHEN 'won' THEN stake + profit - div(profit * fee + 9999, 10000) WHEN 'lost' THEN 0 WHEN 'tie' THEN stake WHEN 'void' THEN stake END
  FROM (SELECT stake, fee, div(stake * payout, 10000) AS profit
    FROM (SELECT (_terms ->> 'stake')::numeric AS stake, (_terms ->> 'rate_bps')::numeric AS payout, (_terms ->> 'fee_bps')::numeric AS fee) said) won
$$;

-- Terms may arrive before their receipt, so each text is stored twice at most.
CREATE TABLE corrections.kept_text (
  -- SHA-256 of the signed bytes of the terms, in hex.
  hash text NOT NULL,
  is_receipt boolean NOT NULL,
  case_id uuid NOT NULL REFERENCES corrections.kept_case,
  customer_id bigint NOT NULL,
  order_id uuid NOT NULL,
  -- The exact text with everything that came with it: signatures, key ids, the path, the ticks.
  terms text NOT NULL CHECK (length(terms) <= 4000),
  signed text NOT NULL CHECK (length(signed) <= 60000),
  key_id text NOT NULL,
  -- The outcome according to the receipt's own ticks; null for terms alone.
  ended text CHECK (ended IN ('won', 'lost', 'tie', 'void')),
  credited bigint,
  -- The order's status in the books when it was handed in.
  booked text NOT NULL CHECK (booked IN ('unknown', 'won', 'lost', 'tie', 'void')),
  taken_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (hash, is_receipt),
  CHECK (hash = encode(sha256(convert_to((terms::jsonb ->> 'v') || E'\n' || terms, 'UTF8')), 'hex')),
  CHECK ((order_id::text = terms::jsonb ->> 'order') IS TRUE),
  CHECK (num_nonnulls(ended, credited) = CASE WHEN is_receipt THEN 2 ELSE 0 END),
  CHECK (credited IS NOT DISTINCT FROM corrections.credited_by(terms::jsonb, ended))
);
CREATE INDEX kept_text_of_case ON corrections.kept_text (case_id, taken_at);
GRANT SELECT ON corrections.kept_text TO sathorn_app, sathorn_checker;
GRANT INSERT (hash, is_receipt, case_id, customer_id, order_id, terms, signed, key_id, ended, credited, booked)
  ON corrections.kept_text TO sathorn_app;

-- Accepts only orders that ran in the lost time. Texts of other times are compared with the books in a dispute.
CREATE FUNCTION corrections.check_kept_text() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = corrections, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM corrections.kept_case c JOIN proofs.restoration r ON r.id = c.restoration
    CROSS JOIN LATERAL (SELECT (NEW.terms::jsonb ->> 'accepted')::bigint AS accepted, (NEW.terms::jsonb ->> 'dur')::bigint AS duration) t
    WHERE c.id = NEW.case_id AND c.customer_id = NEW.customer_id
      AND options.at(t.accepted) < r.restored_at AND options.at(t.accepted + t.duration) > r.ends_at) THEN
    RAISE EXCEPTION 'kept text %: of no restoration', NEW.hash USING ERRCODE = 'CR001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_kept_text BEFORE INSERT ON corrections.kept_text FOR EACH ROW
  EXECUTE FUNCTION corrections.check_kept_text();

-- The worth of a kept receipt: its credit minus what the balance already has from that purchase. Books that lack the
-- purchase still hold its stake. An id can be used again after the restoration, so a purchase is the same only if it
-- has the same acceptance time. Null while the order runs.
CREATE FUNCTION corrections.kept_worth(_hash text) RETURNS numeric LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = corrections, pg_temp AS $$
  SELECT k.credited - CASE WHEN o.id IS NULL THEN (k.terms::jsonb ->> 'stake')::numeric ELSE o.credited END
  FROM corrections.kept_text k
  LEFT JOIN options.orders o ON o.id = k.order_id AND o.customer_id = k.customer_id AND o.accepted_ms = (k.terms::jsonb ->> 'accepted')::bigint
  WHERE k.hash = _hash AND k.is_receipt
$$;

-- Allows a refund of a kept receipt only with its worth and for its customer.
CREATE FUNCTION corrections.check_kept() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = corrections, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM corrections.kept_text k WHERE k.hash = NEW.kept AND k.is_receipt AND k.customer_id = NEW.customer_id AND k.case_id = NEW.case_id) THEN
    RAISE EXCEPTION 'correction %: this customer handed in no such receipt', NEW.id USING ERRCODE = 'CR001';
  END IF;
  IF (NEW.units = corrections.kept_worth(NEW.kept)) IS NOT TRUE
    OR EXISTS (SELECT FROM corrections.correction c WHERE c.kept = NEW.kept AND c.id <> NEW.id AND c.step IN ('proposed', 'announced', 'done')) THEN
    RAISE EXCEPTION 'correction %: not what the receipt is worth', NEW.id USING ERRCODE = 'CR002';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_kept BEFORE INSERT OR UPDATE ON corrections.correction FOR EACH ROW
  WHEN (NEW.kept IS NOT NULL AND NEW.step IN ('proposed', 'done')) EXECUTE FUNCTION corrections.check_kept();

-- Rows of these tables can't be removed; those of tables with append_only can't change either.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['corrections.correction'] LOOP
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION corrections.check_move()', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['corrections.kept_text', 'corrections.kept_case'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION market.refuse_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION market.refuse_change()', name);
  END LOOP;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA corrections FROM PUBLIC;
GRANT EXECUTE ON FUNCTION corrections.is_undone, corrections.is_agreed, corrections.is_same, corrections.people_of,
  corrections.taken_by_others, corrections.is_of_open_payout TO sathorn_app, sathorn_checker;
GRANT EXECUTE ON FUNCTION corrections.sum_lately, corrections.taken_of, corrections.close_ended,
  corrections.small_max, corrections.may_post, corrections.kept_worth, corrections.credited_by TO sathorn_app;
