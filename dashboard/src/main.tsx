import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import './tokens.css'
import './base.css'
import { takeLinkSecret } from './link-secret.ts'
import { markNotLoaded } from './not-loaded.ts'
import { takeProviderAnswer } from './provider.ts'
import { SessionContext, SessionStore } from './session.ts'
import { View } from './view.tsx'

const secret = takeLinkSecret(window)
const answer = takeProviderAnswer(window)
markNotLoaded(window)
const session = new SessionStore()
session.load()

createRoot(document.getElementById('root')!).render(
  <SessionContext value={session}>
    <Router base="/_">
      <View secret={secret} answer={answer} />
    </Router>
  </SessionContext>,
)
