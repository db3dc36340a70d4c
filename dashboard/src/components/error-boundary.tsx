import { Component, type ReactNode } from 'react'
import { TEXTS } from '../texts.ts'
import { NarrowPage } from './narrow-page.tsx'

interface ErrorBoundaryProps {
  /** The address of the page; another page is another chance. */
  readonly path: string
  readonly children: ReactNode
}

interface ErrorBoundaryState {
  readonly hasFailed: boolean
  readonly path: string
}

/** Keeps a mistake in one page from taking the others. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { hasFailed: false, path: this.props.path }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  static getDerivedStateFromProps({ path }: ErrorBoundaryProps, state: ErrorBoundaryState) {
    return path === state.path ? null : { hasFailed: false, path }
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    const { title, explained } = TEXTS.failed
    return (
      <NarrowPage title={title}>
        <p>{explained}</p>
        <a href="/_/apps">{TEXTS.toApps}</a>
      </NarrowPage>
    )
  }
}
