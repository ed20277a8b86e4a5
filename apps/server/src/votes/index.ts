export { demoVoterOf, signAsDemo } from './demo-voter.ts';
export {
  type Agreeable,
  readTrust,
  rolesFor,
  trustOf,
  verifiedApprovals,
  verifiedVoters,
} from './verified-approvals.ts';
export {
  type BallotRow,
  endVoter,
  insertVoter,
  listVoters,
  markPinned,
  readBallot,
  readVoterRow,
  type VoterRow,
  votersOf,
} from './vote-store.ts';
export { checkerVotersFile, type PinnedVoters, pinVoters, readVoters, signerVotersFile } from './voters-file.ts';
