-- Who signed the run that pays a withdrawal, as customers see it: by work names.
CREATE VIEW withdrawals.run_signer AS
  SELECT l.withdrawal_id, o.work_name, s.at FROM treasury.line l JOIN treasury.run r ON r.id = l.run AND r.step IN ('open', 'signed', 'sending', 'done')
    JOIN treasury.signature s ON s.run = l.run JOIN operators.operator o ON o.id = s.operator
  WHERE l.withdrawal_id IS NOT NULL
  UNION ALL
  SELECT l.withdrawal_id, o.work_name, s.at FROM withdrawals.bank_line l JOIN withdrawals.bank_run r ON r.id = l.run AND r.step IN ('open', 'signed')
    JOIN withdrawals.bank_signature s ON s.run = l.run JOIN operators.operator o ON o.id = s.operator;
GRANT SELECT ON withdrawals.run_signer TO sathorn_app, sathorn_checker;
