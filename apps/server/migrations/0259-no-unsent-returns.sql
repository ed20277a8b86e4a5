-- A deposit that is kept for people is returned only by way of `recovering`, in which it is sent. No code makes the removed move.
ALTER TABLE deposits.move DISABLE TRIGGER append_only;
DELETE FROM deposits.move WHERE from_step = 'recovery' AND to_step = 'returned';
ALTER TABLE deposits.move ENABLE TRIGGER append_only;
