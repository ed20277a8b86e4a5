-- Whoever had the application's login credited a deposit that no chain had, and called it a transfer of another coin, which
-- the checker's sums leave out. Only our token is credited. Not valid: rows from before are exempt.
ALTER TABLE deposits.deposit ADD CONSTRAINT credited_token CHECK (step <> 'credited'
  OR coalesce(reason NOT IN ('other_token', 'native_coin'), true)) NOT VALID;
