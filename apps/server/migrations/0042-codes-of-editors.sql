-- Who edits a contact has a code of their own: another customer's would have replaced it, and used up its tries.
DELETE FROM customers.code WHERE purpose = 'edit';
ALTER TABLE customers.code ADD COLUMN editor bigint NOT NULL DEFAULT 0, ADD CHECK ((purpose = 'edit') = (editor > 0));
ALTER TABLE customers.code DROP CONSTRAINT code_pkey, ADD PRIMARY KEY (contact, purpose, editor);
