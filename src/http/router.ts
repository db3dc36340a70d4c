import type { Handler } from './request/request-context.ts'
import { getApps, getCollections } from './routes/collections.ts'
import { getValidateKey } from './routes/credentials.ts'
import {
  deleteFromCollection,
  deleteOneDocument,
  getDocuments,
  getOneDocument,
  postDocuments,
  putDocuments,
  putOneDocument,
} from './routes/documents.ts'

/** What a path names, and what each method does to it. */
export interface Resource {
  readonly methods: ReadonlyMap<string, Handler>
  /** Value of the header `Allow`. */
  readonly allow: string
}

const VALIDATION = resource({ GET: getValidateKey })
const APPS = resource({ GET: getApps })
const COLLECTIONS = resource({ GET: getCollections })
const COLLECTION = resource({
  GET: getDocuments,
  POST: postDocuments,
  PUT: putDocuments,
  DELETE: deleteFromCollection,
})
const DOCUMENT = resource({
  GET: getOneDocument,
  POST: putOneDocument,
  PUT: putOneDocument,
  DELETE: deleteOneDocument,
})
/** Its POST is answered before credentials are asked for, and never gets here. */
const TOKENS: Resource = { methods: new Map(), allow: 'POST' }

function resource(handlers: Readonly<Record<string, Handler>>): Resource {
  const methods = new Map<string, Handler>()
  for (const [method, handler] of Object.entries(handlers)) {
    methods.set(method, handler)
    // Node leaves the body out of an answer to HEAD.
    if (method === 'GET') methods.set('HEAD', handler)
  }
  return { methods, allow: [...methods.keys()].join(', ') }
}

/**
 * What the decoded parts of a path name, or undefined. A slash may follow each of them, for no id is empty; two may not.
 */
export function findResource(path: readonly string[]): Resource | undefined {
  switch (path[0]) {
    case '':
      return path.length === 1 ? VALIDATION : undefined
    case 'validate_key':
      return endsAt(path, 1) ? VALIDATION : undefined
    case 'create-token':
      return path[1] !== '' && endsAt(path, 2) ? TOKENS : undefined
    case 'apps':
      return endsAt(path, 1) ? APPS : insideApp(path)
    default:
      return undefined
  }
}

function insideApp(path: readonly string[]): Resource | undefined {
  if (path[2] !== 'collections') return undefined
  if (endsAt(path, 3)) return COLLECTIONS
  if (path[3] === '') return undefined
  if (endsAt(path, 4)) return COLLECTION
  return path[4] !== '' && endsAt(path, 5) ? DOCUMENT : undefined
}

function endsAt(path: readonly string[], length: number): boolean {
  return path.length === length || (path.length === length + 1 && path[length] === '')
}
