-- A customer saved the house's wallet as a payee. The payout to itself was booked as gone, the reader of the chain skipped it, and the checker halted money.
-- So no address with a role on our side is paid, on whatever chain it has or had that role, and a transfer of the wallet to itself counts as out and in.
CREATE TABLE chain.house_address (
  chain text NOT NULL,
  -- In lower case.
  address text NOT NULL CHECK (address ~ '^0x[0-9a-f]{40}$'),
  role text NOT NULL CHECK (role IN ('wallet', 'token', 'named')),
  since timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (address, chain, role)
);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON chain.house_address FOR EACH ROW EXECUTE FUNCTION deposits.refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON chain.house_address FOR EACH STATEMENT EXECUTE FUNCTION deposits.refuse_change();
-- Wallets and tokens of before are known by what they did.
INSERT INTO chain.house_address (chain, address, role)
  SELECT chain, sender, 'wallet' FROM deposits.hot_transfer WHERE direction = 'out'
  UNION SELECT chain, receiver, 'wallet' FROM deposits.hot_transfer WHERE direction IN ('in', 'sweep')
  UNION SELECT chain, sender, 'wallet' FROM withdrawals.sending WHERE kind = 'gas'
  UNION SELECT chain, token, 'token' FROM withdrawals.sending WHERE kind = 'sweep';
CREATE INDEX address_anywhere ON chain.address (address);

-- A deposit address counts where it is one. On another chain nobody would credit what comes there.
CREATE FUNCTION chain.is_house(_chain text, _address text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = chain, pg_temp AS $$
  SELECT EXISTS (SELECT FROM chain.house_address WHERE address = _address)
    OR EXISTS (SELECT FROM chain.address WHERE address = _address) AND NOT EXISTS (SELECT FROM chain.address WHERE address = _address AND chain = _chain)
$$;

CREATE OR REPLACE FUNCTION withdrawals.check_request() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
DECLARE
  fault text;
BEGIN
  -- One after the other for each customer: the sum of the day must see those that are being inserted.
  PERFORM pg_advisory_xact_lock(hashtextextended('withdrawals of ' || NEW.customer_id, 0));
  fault := CASE WHEN chain.is_house(NEW.chain, NEW.address) THEN 'its address is the house’s own' ELSE fault_of(NEW) END;
  IF fault IS NOT NULL THEN RAISE EXCEPTION 'withdrawal % is refused: %', NEW.id, fault USING ERRCODE = 'WD001'; END IF;
  RETURN NEW;
END $$;

-- As before, but for the house's own addresses.
CREATE OR REPLACE FUNCTION withdrawals.begin_payout() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
DECLARE
  last bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('payouts:' || NEW.chain, 0));
  last := withdrawals.last_nonce(NEW.chain);
  IF last IS NOT NULL AND NEW.nonce <> last + 1 THEN RAISE EXCEPTION 'nonce % does not follow %', NEW.nonce, last USING ERRCODE = 'WD005'; END IF;
  IF NOT EXISTS (SELECT FROM withdrawals.payable p WHERE p.id = NEW.withdrawal_id AND p.chain = NEW.chain AND NOT chain.is_house(p.chain, p.address)) THEN
    RAISE EXCEPTION 'withdrawal % is not to be paid', NEW.withdrawal_id USING ERRCODE = 'WD005';
  END IF;
  UPDATE withdrawals.withdrawal SET step = 'sending', sent_at = clock_timestamp(), version = version + 1 WHERE id = NEW.withdrawal_id AND step = 'approved';
  IF NOT FOUND THEN RAISE EXCEPTION 'withdrawal % is not to be paid', NEW.withdrawal_id USING ERRCODE = 'WD005'; END IF;
  RETURN NEW;
END $$;

-- As before, with whether the address is the house's, so that the signer passes it over in place of being refused.
CREATE OR REPLACE VIEW withdrawals.promised AS
  SELECT w.id, w.customer_id, w.channel, w.chain, w.address, w.payee_id, w.amount, w.fee, w.quote, w.people, w.created_at, t.sequence AS taken,
    a.body, encode(a.signature, 'hex') AS signature, a.key, chain.is_house(w.chain, w.address) AS is_house
  FROM withdrawals.withdrawal w
  JOIN ledger.transfer t ON t.resolves = w.hold AND t.kind = 'p'
  LEFT JOIN withdrawals.authorisation a ON a.withdrawal_id = w.id
  WHERE w.kind = 'crypto' AND w.receiver IS NULL AND w.step IN ('approved', 'sending', 'sent_unknown', 'confirming');

-- As before. Nothing is returned to an address of the house either.
CREATE OR REPLACE VIEW withdrawals.returnable AS
  SELECT d.id AS deposit, d.chain, d.address, a.index, d.return_to AS receiver, d.amount, CASE d.reason WHEN 'other_token' THEN d.token END AS token, d.reason
  FROM deposits.deposit d JOIN chain.address a ON a.chain = d.chain AND a.address = d.address
  WHERE d.step = 'recovering' AND d.recovery_plan = 'return' AND d.reason IN ('other_token', 'native_coin') AND d.block_height IS NOT NULL AND d.return_to IS NOT NULL
    AND deposits.is_recovered(d.id, d.recovery_approval, 'return', d.return_to)
    AND deposits.is_as_decided(d.id, d.recovery_approval, d.customer_id, d.amount, d.token, d.recovery_fee)
    AND NOT customers.is_held(d.customer_id) AND NOT chain.is_house(d.chain, d.return_to)
    AND NOT EXISTS (SELECT FROM withdrawals.sending s WHERE s.deposit_id = d.id AND s.step <> 'failed')
    AND NOT EXISTS (SELECT FROM withdrawals.sending s WHERE s.deposit_id = d.id AND s.step = 'failed' AND s.finished_at > clock_timestamp() - interval '6 hours');

-- A transfer of the wallet to itself is two rows.
ALTER TABLE deposits.hot_transfer DROP CONSTRAINT hot_transfer_pkey, ADD PRIMARY KEY (chain, hash, output, direction);

REVOKE ALL ON FUNCTION chain.is_house FROM PUBLIC;
GRANT EXECUTE ON FUNCTION chain.is_house TO sathorn_app, sathorn_checker, sathorn_signer;
GRANT SELECT ON chain.house_address TO sathorn_app, sathorn_checker;

ALTER TABLE withdrawals.waiting DROP CONSTRAINT waiting_waits_for_check;
ALTER TABLE withdrawals.waiting ADD CONSTRAINT waiting_waits_for_check
  CHECK (waits_for IN ('checker', 'finding', 'budget', 'votes', 'authorisation', 'house_address'));
