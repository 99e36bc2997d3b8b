import { existsSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'

/** Whoever has a keystore of its own; the role `watcher` needs no key. */
export const KEYSTORE_HOLDERS = ['api', 'webhooks', 'solver', 'operator'] as const
export type KeystoreHolder = (typeof KEYSTORE_HOLDERS)[number]

/** Folder that `keys split` makes beside a keystore. */
export const splitFolder = (file: string): string => join(dirname(file), 'keys')

/** Keystores of a split beside a keystore that is not there, relative to the configuration. */
export const splitBeside = (file: string, folder: string): readonly string[] => {
  const beside = basename(dirname(file)) === 'keys' ? dirname(file) : splitFolder(file)
  return KEYSTORE_HOLDERS.map((holder) => join(beside, `${holder}.json`))
    .filter((path) => existsSync(path))
    .map((path) => relative(folder, path))
}
