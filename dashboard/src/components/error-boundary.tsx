import { Component, type ReactNode } from 'react'

interface ErrorBoundaryProps {
  /** The address of the page; another page is another chance. */
  readonly path: string
  /** What shows instead of what has failed. */
  readonly fallback: (error: Error) => ReactNode
  readonly children: ReactNode
}

interface ErrorBoundaryState {
  readonly error?: Error | undefined
  readonly path: string
}

/** Keeps a mistake in one part from taking the others. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { path: this.props.path }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  static getDerivedStateFromProps({ path }: ErrorBoundaryProps, state: ErrorBoundaryState) {
    return path === state.path ? null : { error: undefined, path }
  }

  override render() {
    const { error } = this.state
    return error === undefined ? this.props.children : this.props.fallback(error)
  }
}
