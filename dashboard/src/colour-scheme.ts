export const COLOUR_SCHEMES = ['system', 'light', 'dark'] as const

export type ColourScheme = (typeof COLOUR_SCHEMES)[number]

/** As `colour-scheme.js` reads it before the first paint. */
const KEY = 'sheaf.colour-scheme'

export function colourScheme(): ColourScheme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/** Shows the colours, and keeps the choice in this browser. */
export function chooseColourScheme(chosen: ColourScheme): void {
  const { dataset } = document.documentElement
  if (chosen === 'system') delete dataset.theme
  else dataset.theme = chosen
  localStorage.setItem(KEY, chosen)
}
