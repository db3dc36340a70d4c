import { memoryStore } from './memory-store.ts'
import { describeStore } from './store-contract.ts'

describeStore('the store in memory', async (limits) => {
  const store = memoryStore({ apps: ['app'], limits, serviceNames: ['Service'] })
  return { store, app: 'app', close: () => store.close() }
})
