export { demoVoterOf, signAsDemoVoter } from './demo-voter.ts';
export {
  type ApprovalCriteria,
  isActSigned,
  isMakerVerified,
  readTrustedVoters,
  rolesOfAct,
  SIGNED_ACTS,
  trustedVotersOf,
  verifiedApprovals,
  verifiedVoters,
  voterRolesFor,
} from './verified-approvals.ts';
export {
  type ActRow,
  BALLOT_COLUMNS,
  type BallotRow,
  insertVoter,
  listVoters,
  markPinned,
  readBallot,
  readRegistrationBallots,
  readVoterRow,
  readVotersOf,
  type VoterRow,
} from './vote-store.ts';
export { checkerVotersFile, type PinnedVoters, pinVoters, readPinnedVoters, signerVotersFile } from './voters-file.ts';
