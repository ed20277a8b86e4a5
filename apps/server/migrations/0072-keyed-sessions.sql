-- A token's hash is keyed from here on, and a session's id names its customer: whoever can write rows, but has no key, opens nobody's account. What is
-- open was hashed without a key and ends; customers sign in again.
UPDATE customers.session SET ended_at = clock_timestamp(), ended_by = 'idle' WHERE ended_at IS NULL;
