-- Money from outside and to outside: what lies on deposit addresses, what is on its way out, and the transfers between them.
INSERT INTO ledger.chart (code, name, rule, is_house) VALUES
  (120, 'inbound_clearing', 'd', true), (121, 'outbound_clearing', 'c', true);

INSERT INTO ledger.purpose (code, kinds, debits, credits, is_own, posted_by, is_of_demo) VALUES
  -- A deposit: tokens on the customer's address, or bank money that the house has exchanged.
  (50, '{s}', '{120}', '{1000}', false, 'app', false),
  (50, '{s}', '{200}', '{1000}', false, 'app', false),
  -- A reorganisation took it back: from the customer as far as it goes, the rest from the house.
  (51, '{s}', '{1000}', '{120}', false, 'app', false),
  (51, '{s}', '{200}', '{120}', true, 'app', false),
  (52, '{s}', '{112}', '{200}', true, 'app', false),
  (53, '{s}', '{110}', '{120}', true, 'app', false),
  -- A withdrawal: held, then on its way, then gone.
  (54, '{h,p,v}', '{1000}', '{121}', false, 'app', false),
  (55, '{h,p,v}', '{1000}', '{220}', false, 'app', false),
  (56, '{s}', '{121}', '{110}', true, 'app', false),
  (57, '{s}', '{121}', '{200}', true, 'app', false),
  (58, '{s}', '{200}', '{112}', true, 'app', false),
  -- The house's own money on the chain or at the bank.
  (59, '{s}', '{110,112}', '{200}', true, 'app', false),
  (60, '{s}', '{121}', '{1000}', false, 'app', false),
  (61, '{s}', '{121,220}', '{1000}', false, 'app', false);
