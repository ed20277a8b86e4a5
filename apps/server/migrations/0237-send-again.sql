-- A reorganisation deeper than the confirmations can take back a payout or a sweep that is booked. Its signed transaction is still valid, so the signer
-- sends it again; the house's books stay as they are until a block has it once more.
CREATE VIEW withdrawals.final AS
  SELECT s.chain, s.hash, a.raw, s.block_height, s.nonce FROM withdrawals.sending s JOIN withdrawals.sending_attempt a ON a.hash = s.hash WHERE s.step <> 'sending'
  UNION ALL
  SELECT w.chain, w.hash, o.raw, w.block_height, p.nonce FROM withdrawals.withdrawal w
  JOIN withdrawals.payout p ON p.withdrawal_id = w.id JOIN withdrawals.outbox o ON o.hash = w.hash WHERE w.step = 'done' AND w.block_height IS NOT NULL;
CREATE INDEX sending_of_block ON withdrawals.sending (chain, block_height) WHERE step <> 'sending';
CREATE INDEX withdrawal_of_block ON withdrawals.withdrawal (chain, block_height) WHERE step = 'done';

GRANT SELECT ON withdrawals.final TO sathorn_signer, sathorn_checker;
GRANT UPDATE (block_height, block_hash) ON deposits.hot_transfer TO sathorn_app;
