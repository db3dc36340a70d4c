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

/** Every path of the API, as the reference writes it. */
export const RESOURCES = {
  '/': VALIDATION,
  '/validate_key': VALIDATION,
  // Its POST is answered before credentials are asked for, and never gets here.
  '/create-token/{api_key}': { methods: new Map(), allow: 'POST' },
  '/apps': resource({ GET: getApps }),
  '/apps/{app}/collections': resource({ GET: getCollections }),
  '/apps/{app}/collections/{collection}': resource({
    GET: getDocuments,
    POST: postDocuments,
    PUT: putDocuments,
    DELETE: deleteFromCollection,
  }),
  '/apps/{app}/collections/{collection}/{_id}': resource({
    GET: getOneDocument,
    POST: putOneDocument,
    PUT: putOneDocument,
    DELETE: deleteOneDocument,
  }),
} as const satisfies Readonly<Record<string, Resource>>

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
      return path.length === 1 ? RESOURCES['/'] : undefined
    case 'validate_key':
      return endsAt(path, 1) ? RESOURCES['/validate_key'] : undefined
    case 'create-token':
      return path[1] !== '' && endsAt(path, 2) ? RESOURCES['/create-token/{api_key}'] : undefined
    case 'apps':
      return endsAt(path, 1) ? RESOURCES['/apps'] : insideApp(path)
    default:
      return undefined
  }
}

function insideApp(path: readonly string[]): Resource | undefined {
  if (path[2] !== 'collections') return undefined
  if (endsAt(path, 3)) return RESOURCES['/apps/{app}/collections']
  if (path[3] === '') return undefined
  if (endsAt(path, 4)) return RESOURCES['/apps/{app}/collections/{collection}']
  if (path[4] === '' || !endsAt(path, 5)) return undefined
  return RESOURCES['/apps/{app}/collections/{collection}/{_id}']
}

function endsAt(path: readonly string[], length: number): boolean {
  return path.length === length || (path.length === length + 1 && path[length] === '')
}
