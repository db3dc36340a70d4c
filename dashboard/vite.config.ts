import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Puts the file that sets the colour scheme before all else: as a classic script, which a browser waits for. */
function colourScheme(): Plugin {
  let reference: string
  return {
    name: 'colour-scheme',
    buildStart() {
      const source = readFileSync(new URL('src/colour-scheme.js', import.meta.url))
      reference = this.emitFile({ type: 'asset', name: 'colour-scheme.js', source })
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const file = Object.values(bundle ?? {}).find(
          (output) => output.type === 'asset' && output.names.includes('colour-scheme.js'),
        )
        if (file === undefined) throw new Error(`no file for ${reference}`)
        return [{ tag: 'script', attrs: { src: `/_/${file.fileName}` }, injectTo: 'head-prepend' }]
      },
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/_/',
  publicDir: false,
  plugins: [react(), colourScheme()],
  build: {
    target: 'es2023',
    // What is inlined has no hash, and the policy lets no style or script stand in the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    license: { fileName: 'licenses.md' },
  },
})
