import { Component, type ReactNode } from 'react'
import { TEXTS } from '../texts.ts'
import { NarrowPage } from './narrow-page.tsx'

/** Keeps a mistake in one page from taking the others. */
export class ErrorBoundary extends Component<
  { readonly children: ReactNode },
  { readonly hasFailed: boolean }
> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
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
