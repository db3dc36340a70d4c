import type { SiteSettings } from '../../../src/sites/site-settings.ts'
import { byteCount, counted } from '../texts.ts'

const SETTINGS: Readonly<Record<keyof SiteSettings, string>> = {
  fallback: 'For addresses without a file',
  notFound: 'With 404',
  cleanAddresses: 'about.html at /about',
  immutable: 'Kept by browsers for a year',
  redirects: 'Redirects',
  headers: 'Headers',
}

const PREVIEWS_STAY = 'Previews stay reachable by their addresses; delete a version to take it away.'

/** As a server is told its limits. */
function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toLocaleString()} MiB`
}

/** Such as `1 to 7, 9`. @param versions the newest first */
function numbers(versions: readonly number[]): string {
  const runs: [from: number, to: number][] = []
  for (const version of versions.toReversed()) {
    const last = runs.at(-1)
    if (last?.[1] === version - 1) last[1] = version
    else runs.push([version, version])
  }
  return runs.map(([from, to]) => (from === to ? from : `${from} to ${to}`)).join(', ')
}

/** The words of the pages of an app's site. */
export const SITE_TEXTS = {
  title: 'Site',
  explained:
    'A site is files that this server sends to browsers: pages, and what belongs to them. Each deploy is a version; one of them is live.',
  reading: 'Reading the site',
  onlyLook: 'You may look at this app. Its owner and editors deploy.',
  address: {
    title: 'Address',
    open: 'Open the site',
    copied: 'address of the site',
    live: (version: number) => `Version ${version} is live`,
    /** Before when, and by whom. */
    made: 'made',
    by: 'by',
    none: `Nothing is live here. What is at this address is 404. ${PREVIEWS_STAY}`,
    takeOff: 'Take it off line',
    onlyHere:
      'Sites are below localhost, which leads each machine to itself: nobody else can open them until this server is started with --sites-domain, or the site has a domain of its own.',
  },
  deploy: {
    title: 'New deploy',
    folder: 'Choose a folder',
    zip: 'Choose a zip',
    other: 'Choose another folder',
    otherZip: 'Choose another zip',
    drop: 'or drop one on this page',
    hint: 'What a build writes, such as dist: index.html stands at its top. Files whose names begin with a dot stay out.',
    looking: 'Looking through the folder',
    several: 'Several files',
    holds: (files: number, bytes: number) => `${counted(files, 'file')}, ${byteCount(bytes)}`,
    empty: 'There is no file in it for a site. Choose another folder.',
    leftOut: (paths: number) => `${paths.toLocaleString()} files and folders stay out`,
    /** Before them. */
    leftOutFew: 'Left out:',
    leftOutOfZip: (files: number) => `${counted(files, 'file')} of the zip stayed out`,
    more: (count: number) => `and ${count.toLocaleString()} more`,
    refused: (files: number) =>
      `${counted(files, 'file')} can’t be in a site. Rename or remove ${files === 1 ? 'it' : 'them'}, and choose the folder again.`,
    same: (path: string) => `is the same as ${path} where small and large letters are not told apart`,
    largeFile: (path: string, most: number) =>
      `${path} is too large: a file of a site may have ${mebibytes(most)} at most.`,
    manyFiles: (most: number) => `A site may have ${counted(most, 'file')} at most.`,
    large: (most: number) => `The files of a site may have ${mebibytes(most)} at most, all together.`,
    modules: (files: number, all: number) =>
      `Of its ${counted(all, 'file')}, ${files.toLocaleString()} ${files === 1 ? 'is' : 'are'} in node_modules. Did you mean what a build writes, such as dist?`,
    noIndex: 'There is no index.html at its top: the address of the site itself is 404 then.',
    message: 'Message',
    messageHint: 'What is new in it, for the list of versions. It may be empty.',
    isLive: 'Make it live at once',
    isPreview: 'Without this it has the address of a preview alone, which whoever guesses it can open.',
    button: 'Deploy',
    progress: 'Deploy',
    readFiles: (files: number, all: number) =>
      `${files.toLocaleString()} of ${counted(all, 'file')} looked at`,
    asking: 'Asking the server which of them it has…',
    after: 'Sent. The server is putting it in place…',
    stay: 'Leaving this page stops it.',
    stopped: 'Stopped. No version was made.',
    stoppedLate: 'Stopped, after all of it had been sent. The list of versions says whether it was made.',
    failed: 'No version was made; what is live stays so.',
    broken: 'The connection broke. The list of versions says whether it was made.',
    isMade: (version: number) => `Version ${version} is live.`,
    isDraft: (version: number) => `Version ${version} is made, and not live.`,
    openPreview: 'Open its preview',
  },
  unreadable:
    'a file or folder could not be read: it was changed, moved or removed since it was chosen, or is not yours to read. Choose it again',
  commandLine: 'By the command line',
  versions: {
    title: 'Versions',
    reading: 'Reading the versions',
    none: 'Nothing is deployed yet',
    noneExplained: 'Choose the folder of your pages above, or deploy it by the command line:',
    noneShared: 'Nothing is deployed yet.',
    /** Before the address. */
    willBe: 'It will be at',
    columns: { version: 'Version', made: 'Made', holds: 'Holds', acts: 'Do' },
    name: (version: number) => `Version ${version}`,
    live: 'live',
    preview: 'Preview',
    previewOf: (version: number) => `Preview of version ${version}`,
    more: (count: number) => `Show ${counted(count, 'more version')}`,
  },
  back: {
    /** To one that is older than what is live. */
    to: (version: number) => `Roll back to ${version}`,
    forth: (version: number) => `Make ${version} live`,
    done: (version: number | null) =>
      version === null ? `The site is off line. ${PREVIEWS_STAY}` : `Version ${version} is live.`,
    undone: (version: number | null) =>
      version === null ? 'The site is off line again.' : `Version ${version} is live again.`,
    undo: 'Undo',
    close: 'Close',
  },
  remove: {
    button: 'Delete',
    of: (version: number) => `Delete version ${version}`,
    title: (version: number) => `Delete version ${version}`,
    explained: (files: number) =>
      `Its ${counted(files, 'file')} and its preview go, but for files that another version has. There is no undo; what is live stays.`,
  },
  kept: {
    title: 'Kept versions',
    label: 'How many versions are kept',
    hint: '1 to 100. Older ones are deleted, never the one that is live.',
    button: 'Save',
    saved: 'Saved.',
    problem: 'Type a whole number from 1 to 100.',
    keep: (kept: number) => `Keep ${counted(kept, 'version')}`,
    lost: (versions: readonly number[]) =>
      `This deletes ${counted(versions.length, 'version')}: ${numbers(versions)}. There is no undo.`,
    delete: (versions: number) => `Delete ${counted(versions, 'version')}`,
    only: (kept: number) => `The last ${counted(kept, 'version')} are kept.`,
  },
  version: {
    gone: 'There is no such version here. It may have been deleted, or was older than those that are kept.',
    toSite: 'Go to the site',
    facts: { made: 'Made', holds: 'Holds', state: 'State', message: 'Message' },
    isLive: 'live: this is what visitors get',
    isKept: 'kept, and not live',
    noMessage: 'none',
  },
  differences: {
    title: 'Different from what is live',
    reading: 'Comparing it with what is live',
    none: 'It has the same files as what is live.',
    against: (version: number) => `Against version ${version}, which is live.`,
    kinds: { added: 'added', changed: 'changed', removed: 'removed' },
    marks: { added: '+', changed: '~', removed: '-' },
    label: 'Files that differ',
  },
  settings: {
    title: 'Settings',
    explained: 'What its sheaf.json says of how it is served. They belong to the version.',
    none: 'It has no sheaf.json that changes how it is served.',
    names: SETTINGS,
    yes: 'yes',
    no: 'no',
    anyPath: 'for',
  },
  files: {
    title: 'Files',
    search: 'Part of a path',
    columns: { path: 'Path', bytes: 'Size', type: 'Type' },
    none: (all: number) => `None of its ${counted(all, 'file')} has this in its path.`,
    clear: 'Clear',
    more: (count: number) => `Show ${counted(count, 'more file')}`,
  },
  key: {
    title: 'Site key',
    none: 'None was made.',
    noneExplained:
      'Pages need a key to use the app’s data. A site key works on this site alone, and for no more than you name. The page reads it from /_sheaf/config.json.',
    offer: 'Do its pages use the app’s data? They need a key for that, which is made below.',
    make: 'Make a site key',
    value: 'Key',
    publicNote:
      'It is no secret: whoever opens the site can read it, and may use it from a script. What it may do is what everybody may do.',
    toKey: 'Change its rules',
    revoke: 'Revoke the site key',
    revoked: 'Its pages get 401 from then on, until another one is made. There is no undo.',
    permission: 'What visitors may do',
    verbs: {
      read: 'read: read and search all documents',
      create: 'create: save new documents, and never overwrite one',
      update: 'update: change and overwrite any document, such as by a tick',
      delete: 'delete: delete any document, also all of them or the whole collection at once',
    },
    collections: 'Collections',
    collectionsHint: 'One a line. Empty means all, also those that come later.',
    explained:
      'Everybody who can open the site may do this. The key works on the pages of this site and nowhere else in a browser.',
    nothing: 'Choose at least one.',
    onlyOwner: 'Only the owner of the app makes and revokes it.',
  },
  domains: {
    title: 'Domains of your own',
    explained:
      'The site under a name that is yours. Have the name lead to this server, and show that it is yours, in one of two ways.',
    leads: 'Have the name lead here, by records of type A and AAAA with the addresses of this server.',
    /** Before the host of the site. */
    leadsBy:
      'Have the name lead here, by A and AAAA records with the addresses of this server, or by one of type CNAME to',
    none: 'None.',
    label: 'Domain',
    hint: 'Such as shop.example.org, or its address https://shop.example.org/.',
    button: 'Add the domain',
    states: { waiting: 'waits to be checked', verified: 'checked: the site is served there' },
    record: (type: string) => `A DNS record of type ${type}:`,
    recordName: 'Name',
    recordValue: 'Value',
    file: 'Or a file that is read without TLS:',
    fileAddress: 'Address',
    fileBody: 'Contents',
    check: 'Check it now',
    checkOf: (domain: string) => `Check ${domain} now`,
    remove: 'Remove',
    removeOf: (domain: string) => `Remove ${domain}`,
    removeTitle: (domain: string) => `Remove ${domain}`,
    removed: 'The site is not served there any more. It can be added and checked again.',
    removeButton: 'Remove the domain',
    onlyOwner: 'Only the owner of the app adds and removes domains.',
    open: 'Open',
  },
} as const
