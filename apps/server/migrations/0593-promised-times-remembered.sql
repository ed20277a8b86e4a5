-- When each withdrawal was promised, for the checker's memory. It is a view, so that what the checker remembers of the
-- table's other columns stays valid.
CREATE VIEW withdrawals.promised_time AS SELECT hold, promised_at FROM withdrawals.withdrawal;
GRANT SELECT ON withdrawals.promised_time TO sathorn_checker;
