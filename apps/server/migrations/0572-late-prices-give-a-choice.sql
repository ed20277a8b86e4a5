-- A customer who lost an option to a price that was published more than five seconds late may have it void within seven
-- days: whoever publishes late knows what follows. The settlement stays as it is; the stake goes back by a transfer of
-- its own.
INSERT INTO ledger.purpose (code, kinds, debits, credits, is_own, posted_by, is_of_demo) VALUES
  (23, '{s}', '{210}', '{1000}', false, 'app', false);

CREATE TABLE options.voiding (
  order_id uuid PRIMARY KEY REFERENCES options.orders,
  customer_id bigint NOT NULL,
  -- What the settlement took, in units of 10^-6 USDT.
  units bigint NOT NULL CHECK (units > 0),
  -- The transfer that returned it, and its journal.
  journal uuid NOT NULL UNIQUE,
  transfer bigint NOT NULL UNIQUE,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT ON options.voiding TO sathorn_app, sathorn_checker;
GRANT INSERT (order_id, customer_id, units, journal, transfer) ON options.voiding TO sathorn_app;

-- True if the stake that ended this hold was corrected by people, or they propose to: otherwise it would go back twice.
CREATE FUNCTION options.is_stake_corrected(_hold bigint) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = options, pg_temp AS $$
  SELECT EXISTS (SELECT FROM ledger.transfer t WHERE t.resolves = _hold AND corrections.taken_of(t.sequence, NULL) > 0)
$$;

-- Accepts only the void of an order that its stored lateness allows, and whose stake nobody has returned. It takes the
-- lock of corrections of the same transfer.
CREATE FUNCTION options.check_voiding() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = options,
  pg_temp AS $$
DECLARE
  o options.orders;
BEGIN
  SELECT * INTO o FROM options.orders WHERE id = NEW.order_id;
  IF (o.status = 'lost' AND o.customer_id = NEW.customer_id AND NEW.units = o.stake + o.fee AND greatest(o.start_late_ms, o.end_late_ms) > 5000
    -- A minute more than the application allows, so that its clock decides.
    AND (clock_timestamp() <= options.at(o.settled_ms) + interval '7 days 1 minute' OR (SELECT virtual_clock FROM market.guard))) IS NOT TRUE THEN
    RAISE EXCEPTION 'order % can''t be had void', NEW.order_id USING ERRCODE = 'OP011';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('correction:' || t.sequence::text, 0)) FROM ledger.transfer t WHERE t.resolves = o.stake_hold;
  IF options.is_stake_corrected(o.stake_hold) THEN
    RAISE EXCEPTION 'the stake of order % was corrected already', NEW.order_id USING ERRCODE = 'OP012';
  END IF;
  NEW.at := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER check_voiding BEFORE INSERT ON options.voiding FOR EACH ROW EXECUTE FUNCTION options.check_voiding();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON options.voiding FOR EACH ROW
  EXECUTE FUNCTION options.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON options.voiding FOR EACH STATEMENT
  EXECUTE FUNCTION options.refuse_change();

REVOKE ALL ON FUNCTION options.is_stake_corrected, options.check_voiding FROM PUBLIC;
GRANT EXECUTE ON FUNCTION options.is_stake_corrected TO sathorn_app;

-- As before, or the stake went back because its customer had the order void: a refund would pay it twice.
CREATE OR REPLACE FUNCTION corrections.is_of_open_payout(_transfer bigint) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = corrections, pg_temp AS $$
  SELECT EXISTS (SELECT FROM ledger.transfer t JOIN withdrawals.withdrawal w ON coalesce(t.resolves, t.sequence) IN (w.hold, w.fee_hold)
    WHERE t.sequence = _transfer AND w.step <> 'done')
  OR EXISTS (SELECT FROM ledger.transfer t JOIN ledger.transfer h ON h.sequence = t.resolves AND h.code = 20 JOIN options.voiding v ON v.order_id = h.journal
    WHERE t.sequence = _transfer)
$$;
