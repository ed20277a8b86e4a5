-- A restored table of addresses ends earlier than it did, and the next customer got the address of one who is forgotten, with their money. No index is given
-- twice: after a restoration a wide range is left out. What arrives there is kept for people, and nobody is credited with it.
CREATE TABLE chain.skipped (
  chain text NOT NULL,
  from_index integer NOT NULL CHECK (from_index >= 0),
  to_index integer NOT NULL CHECK (to_index >= from_index),
  reason text NOT NULL CHECK (reason IN ('restoration', 'used')),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (chain, from_index)
);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON chain.skipped FOR EACH ROW EXECUTE FUNCTION deposits.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON chain.skipped FOR EACH STATEMENT EXECUTE FUNCTION deposits.refuse_change();

CREATE FUNCTION chain.free_index(_chain text) RETURNS integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = chain, pg_temp AS $$
  SELECT greatest((SELECT max(index) FROM address WHERE chain = _chain), (SELECT max(to_index) FROM skipped WHERE chain = _chain), -1) + 1
$$;
-- Null while none may be given out.
CREATE FUNCTION chain.next_index(_chain text) RETURNS integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = chain, pg_temp AS $$
  SELECT CASE WHEN withdrawals.unreconciled_since() IS NULL THEN free_index(_chain) END
$$;
-- An index is the next one, or the insert fails: the application can't fill the gap.
CREATE FUNCTION chain.check_index() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = chain, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('addresses:' || NEW.chain, 0));
  IF TG_TABLE_NAME = 'address' AND EXISTS (SELECT FROM skipped s WHERE s.chain = NEW.chain AND (to_jsonb(NEW) ->> 'index')::integer BETWEEN s.from_index AND s.to_index) THEN
    RAISE EXCEPTION 'index % was left out: its address may be a forgotten customer’s', to_jsonb(NEW) ->> 'index' USING ERRCODE = 'CH001';
  END IF;
  IF TG_TABLE_NAME = 'skipped' AND EXISTS (SELECT FROM address a WHERE a.chain = NEW.chain AND a.index BETWEEN (to_jsonb(NEW) ->> 'from_index')::integer AND (to_jsonb(NEW) ->> 'to_index')::integer) THEN
    RAISE EXCEPTION 'an index that has an owner is not left out' USING ERRCODE = 'CH001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_index BEFORE INSERT ON chain.address FOR EACH ROW EXECUTE FUNCTION chain.check_index();
CREATE TRIGGER check_index BEFORE INSERT ON chain.skipped FOR EACH ROW EXECUTE FUNCTION chain.check_index();

CREATE FUNCTION chain.leave_gap() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = chain, pg_temp AS $$
BEGIN
  INSERT INTO skipped (chain, from_index, to_index, reason)
    SELECT known.chain, free_index(known.chain), free_index(known.chain) + 99999, 'restoration'
    FROM (SELECT chain FROM address UNION SELECT chain FROM house_address WHERE role = 'wallet' UNION SELECT chain FROM deposits.cursor) known;
  RETURN NULL;
END $$;
CREATE TRIGGER leave_gap AFTER INSERT ON proofs.restoration FOR EACH ROW EXECUTE FUNCTION chain.leave_gap();

REVOKE ALL ON FUNCTION chain.free_index, chain.next_index, chain.check_index, chain.leave_gap FROM PUBLIC;
GRANT EXECUTE ON FUNCTION chain.next_index TO sathorn_app;
GRANT SELECT ON chain.skipped TO sathorn_app, sathorn_checker;
GRANT INSERT (chain, from_index, to_index, reason) ON chain.skipped TO sathorn_app;
