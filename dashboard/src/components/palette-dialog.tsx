import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { flushSync } from 'react-dom'
import { useLocation } from 'wouter'
import { askApi } from '../api.ts'
import { APP_PAGES, shownApp } from '../app-pages.ts'
import { appPath, ofAppRead, useApps } from '../apps-data.ts'
import { COLOUR_SCHEMES, chooseColourScheme } from '../colour-scheme.ts'
import { importPath } from '../data/import/import-link.tsx'
import { indexesPage } from '../indexes-data.ts'
import type { AppKey } from '../key-rules.ts'
import { pathParts } from '../path-parts.ts'
import { useSession, useSessionStore } from '../session.ts'
import { exportButton } from '../shortcuts.ts'
import { APP_TEXTS } from '../texts/apps.ts'
import { PALETTE_TEXTS } from '../texts/palette.ts'
import { TEXTS } from '../texts.ts'
import { useAction } from '../use-action.ts'
import dialogStyles from './dialog.module.css'
import styles from './palette.module.css'
import { Problem } from './problem.tsx'
import { Value } from './value.tsx'

/** How many names are shown at once; what is typed makes them fewer. */
const MOST_SHOWN = 50

interface Entry {
  readonly value: string
  readonly label: string
  readonly act: () => unknown
}

interface Group {
  readonly value: string
  readonly items: readonly Entry[]
}

interface PaletteDialogProps {
  readonly onHelp: () => void
  readonly onClose: () => void
}

/** Goes to whatever has a name, and does what can be done from everywhere. It searches names alone, never data. */
export default function PaletteDialog({ onHelp, onClose }: PaletteDialogProps) {
  const groups = useGroups({ onHelp, onClose })
  const { run, error } = useAction(async ({ act }: Entry) => {
    await act()
    onClose()
  })
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialogStyles.backdrop} />
        <Dialog.Popup className={styles.popup} aria-label={PALETTE_TEXTS.title}>
          <Autocomplete.Root
            open
            inline
            items={groups}
            limit={MOST_SHOWN}
            autoHighlight="always"
            keepHighlight
          >
            <Autocomplete.Input
              className={styles.input}
              aria-label={PALETTE_TEXTS.title}
              placeholder={PALETTE_TEXTS.placeholder}
            />
            {error !== null && <Problem error={error} />}
            <Autocomplete.Empty className={styles.none}>{PALETTE_TEXTS.none}</Autocomplete.Empty>
            <Autocomplete.List className={styles.list}>
              {(group: Group) => (
                <Autocomplete.Group key={group.value} items={group.items}>
                  <Autocomplete.GroupLabel className={styles.label}>{group.value}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(entry: Entry) => (
                      <Autocomplete.Item
                        key={entry.value}
                        value={entry}
                        className={styles.item}
                        onClick={() => run(entry)}
                      >
                        <Value text={entry.label} />
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
          <Dialog.Close className={styles.close}>{PALETTE_TEXTS.close}</Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function useGroups({ onHelp, onClose }: PaletteDialogProps): readonly Group[] {
  const [path, navigate] = useLocation()
  const { account } = useSession()
  const session = useSessionStore()
  const client = useQueryClient()
  const { data: apps = [] } = useApps()
  const slug = shownApp(path)
  const { data: keys = [] } = useQuery({
    ...ofAppRead<readonly AppKey[]>(slug ?? '', '/keys'),
    enabled: slug !== undefined,
  })
  const { data: collections = [] } = useQuery({
    ...ofAppRead<readonly string[]>(slug ?? '', '/collections'),
    enabled: slug !== undefined,
  })
  const { groups, schemes, ...texts } = PALETTE_TEXTS
  const base = slug === undefined ? '' : appPath(slug)
  const linkTo = (label: string, to: string): Entry => ({ value: to, label, act: () => navigate(to) })
  const does = (label: string, act: Entry['act']): Entry => ({ value: label, label, act })
  const inApp = slug !== undefined
  const collection = shownCollection()
  const isViewer = apps.find((app) => app.slug === slug)?.role === 'viewer'
  const exporting = exportButton()
  const openAfter = (opener: HTMLElement) => {
    // What hides the page behind the palette would hide what opens, too.
    flushSync(onClose)
    opener.click()
  }
  return [
    {
      value: groups.pages,
      items: [
        ...(inApp
          ? APP_PAGES.map((each) => linkTo(`${slug} / ${APP_TEXTS[each.page]}`, `${base}${each.path}`))
          : []),
        linkTo(TEXTS.apps.title, '/apps'),
        linkTo(TEXTS.account.page, '/account'),
        ...(account?.isOperator ? [linkTo(TEXTS.account.server, '/server')] : []),
      ],
    },
    { value: groups.apps, items: apps.map((app) => linkTo(app.slug, appPath(app.slug))) },
    {
      value: groups.collections,
      items: collections.map((name) => linkTo(name, `${base}/data/${encodeURIComponent(name)}`)),
    },
    {
      value: groups.keys,
      items: keys.map(({ id, name }) => linkTo(name, `${base}/keys/${encodeURIComponent(id)}`)),
    },
    {
      value: groups.acts,
      items: [
        linkTo(texts.newApp, '/apps?new'),
        linkTo(texts.restore, '/apps?restore'),
        ...(inApp
          ? [
              linkTo(texts.newKey, `${base}/keys/new`),
              ...(collection === undefined
                ? []
                : [linkTo(texts.indexesOf(collection), indexesPage({ slug, collection }))]),
              ...(collection !== undefined && !isViewer
                ? [linkTo(texts.importInto(collection), importPath({ slug, collection }))]
                : []),
              ...(exporting === null ? [] : [does(texts.export, () => openAfter(exporting))]),
              ...(isViewer ? [] : [does(texts.deploy, () => navigate(`${base}/sites`))]),
              does(texts.copyAddress, () => navigator.clipboard.writeText(`${location.origin}${base}`)),
            ]
          : []),
        does(texts.copyLink, () => navigator.clipboard.writeText(location.href)),
        does(texts.readAgain, () => void client.invalidateQueries()),
        ...COLOUR_SCHEMES.map((scheme) => does(schemes[scheme], () => chooseColourScheme(scheme))),
        does(texts.help, onHelp),
        does(texts.signOut, () => session.signOut()),
        does(texts.signOutEverywhere, async () => {
          await askApi('/account/sessions', { method: 'DELETE' })
          session.forget()
        }),
      ],
    },
  ].filter(({ items }) => items.length > 0)
}

/** The collection that the page is about, if it is about one. */
function shownCollection(): string | undefined {
  const [, , page, collection] = pathParts()
  return page === 'data' ? collection : undefined
}
