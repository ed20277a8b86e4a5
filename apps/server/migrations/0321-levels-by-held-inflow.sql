-- A level follows from the net inflow that a customer held for some days. A sum of deposits could be bought: with one's own money in circles, or with
-- bank money that one person invented. Bank money counts where two stood behind it: two people, or the bank by its own report and a person.
CREATE VIEW deposits.inflow AS
  SELECT d.customer_id AS customer, d.finished_at AS at, d.amount AS units FROM deposits.deposit d
  WHERE d.step = 'credited' AND (d.kind = 'crypto' OR EXISTS (
    SELECT FROM deposits.bank_match m JOIN deposits.bank_line l ON l.id = m.line LEFT JOIN deposits.bank_statement s ON s.id = l.statement
    WHERE m.deposit = d.id AND (m.approved_by IS NOT NULL OR l.imported_by IS NULL OR l.imported_by <> m.matched_by OR s.source <> 'upload')));

-- The same rule as `heldInflow` of the engines, for what the database decides by a level: the least that the net inflow was in the last days. It never
-- falls below zero, so a profit that is withdrawn is no debt.
CREATE FUNCTION deposits.held_inflow(_customer bigint, _now timestamptz, _days integer) RETURNS numeric
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = deposits, pg_temp AS $$
DECLARE
  flow record;
  net numeric := 0;
  least_net numeric;
BEGIN
  FOR flow IN
    SELECT i.at, i.units FROM deposits.inflow i WHERE i.customer = _customer
    UNION ALL SELECT w.created_at, -w.amount::numeric FROM withdrawals.withdrawal w WHERE w.customer_id = _customer AND w.step <> 'returned'
    ORDER BY 1, 2
  LOOP
    IF flow.at > _now - make_interval(days => _days) AND least_net IS NULL THEN least_net := net; END IF;
    net := greatest(0, net + flow.units);
    IF least_net IS NOT NULL THEN least_net := least(least_net, net); END IF;
  END LOOP;
  RETURN coalesce(least_net, net);
END $$;
REVOKE ALL ON FUNCTION deposits.held_inflow FROM PUBLIC;
GRANT EXECUTE ON FUNCTION deposits.held_inflow TO sathorn_app, sathorn_checker;
GRANT SELECT ON deposits.inflow TO sathorn_app, sathorn_checker;
