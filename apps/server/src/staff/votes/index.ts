export { demoVoterOf, signAsDemo } from './demo-voter.ts';
export {
  type Agreeable,
  isActSigned,
  isMakerVerified,
  readTrustedVoters,
  rolesFor,
  rolesOfAct,
  SIGNED_ACTS,
  trustOf,
  verifiedApprovals,
  verifiedVoters,
} from './verified-approvals.ts';
export {
  type ActRow,
  BALLOT_COLUMNS,
  type BallotRow,
  insertVoter,
  listVoters,
  markPinned,
  readBallot,
  readVoterRow,
  type VoterRow,
  votersOf,
} from './vote-store.ts';
export { checkerVotersFile, type PinnedVoters, pinVoters, readVoters, signerVotersFile } from './voters-file.ts';
