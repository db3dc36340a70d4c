import { useState } from 'react'
import { askApi } from '../../api.ts'
import { appPath, useRefreshApps } from '../../apps-data.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { Choice, Choices } from '../../components/choice.tsx'
import { Lines } from '../../components/rules-fields.tsx'
import { list, PERMISSIONS } from '../../key-rules.ts'
import { SITE_TEXTS } from '../../texts/site.ts'

const { key: TEXTS } = SITE_TEXTS

/** What most pages need of the four. */
const USUAL = ['read', 'create']

interface SiteKeyDialogProps {
  readonly slug: string
  readonly onClose: () => void
}

/** Makes the key by which the pages of a site use the app's data. */
export default function SiteKeyDialog({ slug, onClose }: SiteKeyDialogProps) {
  const refresh = useRefreshApps()
  const [permission, setPermission] = useState<readonly string[]>(USUAL)
  const [collections, setCollections] = useState('')
  const choose = (verb: string, isChosen: boolean) =>
    setPermission(PERMISSIONS.filter((each) => (each === verb ? isChosen : permission.includes(each))))
  return (
    <ActDialog
      title={TEXTS.make}
      explained={TEXTS.explained}
      button={TEXTS.make}
      look="main"
      isRefused={permission.length === 0}
      act={() =>
        askApi(`${appPath(slug)}/site/key`, {
          method: 'POST',
          json: { permission: permission.join(), collections: list(collections) },
        })
      }
      onDone={async () => {
        await refresh()
        onClose()
      }}
      onClose={onClose}
    >
      <Choices label={TEXTS.permission}>
        {PERMISSIONS.map((verb) => (
          <Choice
            key={verb}
            type="checkbox"
            name={verb}
            label={TEXTS.verbs[verb]}
            checked={permission.includes(verb)}
            onChange={({ currentTarget }) => choose(verb, currentTarget.checked)}
          />
        ))}
      </Choices>
      {permission.length === 0 && <p>{TEXTS.nothing}</p>}
      <Lines
        label={TEXTS.collections}
        hint={TEXTS.collectionsHint}
        text={collections}
        onChange={setCollections}
      />
    </ActDialog>
  )
}
