import type { Json } from '@causeway/core'
import { configSecrets, isToken } from '../application/configSecrets.js'
import type { LoadedConfig } from './loadConfig.js'

/** Stands where something is not shown. */
const HIDDEN = '(not shown)'

const SECRET_NAME = /key|pass|secret|token|authorization|cookie|credential|mnemonic|seed|private/i
const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/
const WITH_SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i

/** Where a URL leads: without user, password, path and query, any of which may be a key, and without such a part of its host. */
const shownUrl = (text: string): string => {
  if (!URL.canParse(text)) return HIDDEN
  const { protocol, hostname, port, pathname, search, username, password } = new URL(text)
  const host = hostname
    .split('.')
    .map((label) => (isToken(label) ? HIDDEN : label))
    .join('.')
  const isWhole = username === '' && password === '' && search === '' && (pathname === '' || pathname === '/')
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}${isWhole ? '' : `/${HIDDEN}`}`
}

interface Walk {
  readonly secrets: readonly string[]
  /** Whether names say what is secret; the section of keys has references alone. */
  readonly byName: boolean
  /** Whether a name on the way says that what is under it is secret. */
  readonly isSecret: boolean
}

const shownText = (text: string, { secrets, isSecret }: Walk): string => {
  if (isSecret && !EVM_ADDRESS.test(text)) return HIDDEN
  if (secrets.some((secret) => text.includes(secret))) return WITH_SCHEME.test(text) ? shownUrl(text) : HIDDEN
  return WITH_SCHEME.test(text) ? shownUrl(text) : text
}

/** `{ env }`, `{ file }` and the like say where a secret is, and are none. */
const REFERENCE = new Set(['env', 'file', 'field', 'keystore', 'header'])
const isReference = (value: object): boolean => Object.keys(value).every((name) => REFERENCE.has(name))

const shown = (value: unknown, walk: Walk): Json => {
  if (typeof value === 'string') return shownText(value, walk)
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return typeof value === 'boolean' ? value : null
  if (Array.isArray(value)) return value.map((item) => shown(item, walk))
  const isSecret = (name: string) => !isReference(value) && (walk.isSecret || (walk.byName && SECRET_NAME.test(name)))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, shown(item, { ...walk, isSecret: isSecret(name) })]),
  )
}

/**
 * The configuration as people may see it: every default filled in, where keys are but no key, and of URLs no more than where they
 * lead. Options of packages that nobody here knows are judged by their names.
 */
export const shownConfig = (loaded: Pick<LoadedConfig, 'config' | 'keys'>): Json => {
  const { keys, tracing, ...rest } = loaded.config
  const walk: Walk = { secrets: configSecrets(loaded), byName: true, isSecret: false }
  return {
    ...(shown(rest, walk) as { [name: string]: Json }),
    keys: shown(keys, { ...walk, byName: false }),
    ...(tracing === undefined
      ? {}
      : {
          tracing: {
            ...(shown({ ...tracing, headers: undefined }, walk) as { [name: string]: Json }),
            headers: Object.keys(tracing.headers ?? {}),
          },
        }),
  }
}
