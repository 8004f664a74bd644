import { Component, type ReactNode } from 'react';
import { Problem } from './problem';

/** Shows the problem instead of what can't be rendered. Without it, React would remove everything. */
export class Boundary extends Component<{ children: ReactNode }, { error?: Error }> {
  override state: { error?: Error } = {};
  static getDerivedStateFromError = (error: Error) => ({ error });
  override render() {
    const { error } = this.state;
    return error ? <Problem error={error} page retry={() => location.reload()} /> : this.props.children;
  }
}
