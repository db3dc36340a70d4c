/*
 * But for the mark, these are icons of Lucide 1 (https://lucide.dev).
 *
 * ISC License. Copyright (c) 2026 Lucide Icons and Contributors
 *
 * Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby
 * granted, provided that the above copyright notice and this permission notice appear in all copies.
 *
 * THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL
 * IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
 * INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN
 * AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR
 * PERFORMANCE OF THIS SOFTWARE.
 *
 * Of these, check, chevron-down and circle-alert are derived from Feather, under the MIT License, Copyright (c)
 * 2013-present Cole Bemis; see https://github.com/feathericons/feather/blob/main/LICENSE.
 */
const PATHS = {
  activity: 'M22 12h-4l-3 9L9 3l-3 9H2',
  alert: 'M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0M12 8v4M12 16h.01',
  analytics: 'M3 3v16a2 2 0 0 0 2 2h16m-2-12-5 5-4-4-3 3',
  check: 'M20 6 9 17l-5-5',
  data: 'M3 5h18M3 12h18M3 19h18',
  down: 'm6 9 6 6 6-6',
  keys: 'm15.5 7.5 2.3 2.3a1 1 0 0 0 1.4 0l2.1-2.1a1 1 0 0 0 0-1.4L19 4M21 2l-9.6 9.6M13 15.5a5.5 5.5 0 1 1-11 0 5.5 5.5 0 1 1 11 0',
  more: 'M13 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0M20 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0M6 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0',
  overview: 'M3 3v16a2 2 0 0 0 2 2h16M18 17V9M13 17V5M8 17v-3',
  performance: 'm12 14 4-4M3.34 19a10 10 0 1 1 17.32 0',
  search: 'm21 21-4.34-4.34M19 11a8 8 0 1 1-16 0 8 8 0 0 1 16 0',
  security:
    'M20 13c0 5-3.5 7.5-7.66 8.95a1 1 0 0 1-.67-.01C7.5 20.5 4 18 4 13V6a1 1 0 0 1 1-1c2 0 4.5-1.2 6.24-2.72a1.17 1.17 0 0 1 1.52 0C14.51 3.81 17 5 19 5a1 1 0 0 1 1 1z',
  site: 'M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0M12 2a14.5 14.5 0 0 0 0 20 14.5 14.5 0 0 0 0-20M2 12h20',
  settings: 'M20 7h-9M14 17H5M20 17a3 3 0 1 1-6 0 3 3 0 1 1 6 0M10 7a3 3 0 1 1-6 0 3 3 0 1 1 6 0',
} as const

const MARK =
  'M12 22V10M12 10C8.5 10 6.5 8 6.5 3.5c3.5 0 5.5 2 5.5 6.5ZM12 10c3.5 0 5.5-2 5.5-6.5-3.5 0-5.5 2-5.5 6.5Z' +
  'M12 17c-4 0-7.5-1-8-5 4.5-.8 7.5 1 8 5ZM12 17c4 0 7.5-1 8-5-4.5-.8-7.5 1-8 5Z'

interface IconProps {
  readonly className?: string | undefined
}

/** A picture beside words that say the same, so that no screen reader reads it. */
export function Icon({ name, className }: IconProps & { readonly name: keyof typeof PATHS }) {
  return <Drawn path={PATHS[name]} className={className} />
}

/** The product's mark. */
export function Mark({ className }: IconProps) {
  return <Drawn path={MARK} className={className} />
}

function Drawn({ path, className }: IconProps & { readonly path: string }) {
  return (
    <svg
      className={className}
      width="16"
      height="16"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  )
}
