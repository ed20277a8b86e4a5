-- Which confirmation an approval names, and whether it is from before proposals were signed, for the checker's memory. It
-- is a view, so that what the checker remembers of the table's other columns stays valid.
CREATE VIEW operators.proposal AS SELECT arrival, step_up, is_from_before FROM operators.approval;
GRANT SELECT ON operators.proposal TO sathorn_checker;
