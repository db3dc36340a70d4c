const NAME = 'NotLoaded'

/**
 * Has `isNotLoaded` know the errors of files that could not be loaded, which each browser words in its own way: those that Vite
 * tells of, https://vite.dev/guide/build#load-error-handling
 */
export function markNotLoaded(window: Window): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    payload.name = NAME
  })
}

/** Whether an error is of a file of the dashboard that could not be loaded: the server is away, or has other ones by now. */
export function isNotLoaded({ name }: Error): boolean {
  return name === NAME
}
