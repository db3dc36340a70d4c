/** What is shown of a collection; all of it is in the page's address, so that a link shows the same. */
export interface View {
  /** JSON texts as they were typed, here and below; empty where nothing was. */
  readonly q: string
  readonly s: string
  readonly f: string
  readonly layout: 'table' | 'json'
  /** The row that is first on the screen, from 0. */
  readonly at: number
  /** The `_id` of the open document as JSON text, so that `7` and `"7"` differ; `NEW_DOCUMENT` for one to be made. */
  readonly doc: string | undefined
}

/** No JSON text, so that no `_id` is written so. */
export const NEW_DOCUMENT = 'new'

export const WHOLE_COLLECTION: View = { q: '', s: '', f: '', layout: 'table', at: 0, doc: undefined }

const DECIMAL = /^\d{1,15}$/

/** @param search of an address, with or without its `?` */
export function parseView(search: string): View {
  const given = new URLSearchParams(search)
  const at = given.get('at') ?? ''
  return {
    q: given.get('q') ?? '',
    s: given.get('s') ?? '',
    f: given.get('f') ?? '',
    layout: given.get('view') === 'json' ? 'json' : 'table',
    at: DECIMAL.test(at) ? Number(at) : 0,
    doc: given.get('doc') ?? undefined,
  }
}

/** @returns what stands behind the path of an address, with its `?`, or nothing where all is as it is at first */
export function formatView({ q, s, f, layout, at, doc }: View): string {
  const search = new URLSearchParams({
    ...(q !== '' && { q }),
    ...(s !== '' && { s }),
    ...(f !== '' && { f }),
    ...(layout === 'json' && { view: layout }),
    ...(at > 0 && { at: String(at) }),
    ...(doc !== undefined && { doc }),
  })
  return search.size === 0 ? '' : `?${search}`
}

/** The parameters of the API that ask for the same documents. */
export function queryOf({
  q,
  s,
  f,
}: Pick<View, 'q' | 's' | 'f'>): Readonly<Record<string, string | undefined>> {
  return { q: q.trim() || undefined, s: s.trim() || undefined, f: f.trim() || undefined }
}
