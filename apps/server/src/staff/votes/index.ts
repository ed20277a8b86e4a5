export { demoVoterOf, signAsDemo } from './demo-voter.ts';
export {
  type Agreeable,
  isActSigned,
  readTrustedVoters,
  rolesFor,
  SIGNED_ACTS,
  trustOf,
  verifiedApprovals,
  verifiedVoters,
} from './verified-approvals.ts';
export {
  type ActRow,
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
