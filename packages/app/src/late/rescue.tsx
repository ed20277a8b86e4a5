import { Component, type ReactNode } from 'react';

interface RescueProps {
  children: ReactNode;
  /** What stands in place of what broke. */
  instead: ReactNode;
}

/** A bug, or a chunk that is not to be had, in one part leaves the others alone. */
export class Rescue extends Component<RescueProps, { isBroken: boolean }> {
  override state = { isBroken: false };
  static getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true };
  }
  override render(): ReactNode {
    return this.state.isBroken ? this.props.instead : this.props.children;
  }
}
