-- A statement is of now: a date that was read wrongly must not choose a rate of years ago or of tomorrow.
ALTER TABLE deposits.bank_statement ADD CONSTRAINT of_now CHECK (to_at <= imported_at + interval '10 minutes' AND from_at > imported_at - interval '400 days') NOT VALID;
