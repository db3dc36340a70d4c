import { Link } from 'wouter'
import { appPath } from '../apps-data.ts'
import { AppPage } from '../components/app-page.tsx'
import { Value } from '../components/value.tsx'
import { CollectionLinks } from '../data/collection-links.tsx'
import { ImportForm } from '../data/import/import-form.tsx'
import { pathParts } from '../path-parts.ts'
import { IMPORT_TEXTS } from '../texts/import.ts'

/** Where a file becomes documents of a collection, as the address says which. */
export default function ImportPage({ slug }: { readonly slug: string }) {
  const collection = pathParts()[3] ?? ''
  return (
    <AppPage
      slug={slug}
      page="data"
      title={
        <>
          <Link href={`${appPath(slug)}/data/${encodeURIComponent(collection)}`}>
            <Value text={collection} />
          </Link>
          {' / '}
          {IMPORT_TEXTS.title}
        </>
      }
      beside={<CollectionLinks slug={slug} current={collection} />}
    >
      {({ role }) => (
        <>
          <h1>
            {IMPORT_TEXTS.into} <Value text={collection} />
          </h1>
          {role === 'viewer' ? (
            <p>{IMPORT_TEXTS.onlyEditors}</p>
          ) : (
            <>
              <p>{IMPORT_TEXTS.explained}</p>
              <ImportForm key={collection} address={{ slug, collection }} />
            </>
          )}
        </>
      )}
    </AppPage>
  )
}
