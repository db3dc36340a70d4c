import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import './tokens.css'
import './base.css'
import { takeLinkSecret } from './link-secret.ts'
import { createQueryClient } from './session.ts'
import { View } from './view.tsx'

const secret = takeLinkSecret(window)

createRoot(document.getElementById('root')!).render(
  <CSPProvider disableStyleElements>
    <QueryClientProvider client={createQueryClient()}>
      <Router base="/_">
        <View secret={secret} />
      </Router>
    </QueryClientProvider>
  </CSPProvider>,
)
