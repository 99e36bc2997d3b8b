import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { KeystoreError } from './keystoreFormat.js'

/** Text of a file only its owner can read. @throws KeystoreError */
export const readKeystoreFile = (file: string): string => {
  let mode: number
  let text: string
  try {
    mode = statSync(file).mode
    text = readFileSync(file, 'utf8')
  } catch {
    throw new KeystoreError(`${file} cannot be read. Make a keystore with: causeway keys new <name>`)
  }
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    throw new KeystoreError(`${file} can be read or written by others. Run: chmod 600 ${file}`)
  return text
}

/**
 * Replaces the file by what `change` makes of it (null: there is none yet): whole or not at all, on the disk before it
 * counts, one change at a time. Mode 0600.
 * @throws KeystoreError when another change is under way
 */
export const changeKeystoreFile = (file: string, change: (text: string | null) => string): void => {
  const next = `${file}.new`
  const handle = openNew(next)
  try {
    try {
      writeFileSync(handle, change(existsSync(file) ? readKeystoreFile(file) : null))
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    renameSync(next, file)
  } catch (error) {
    rmSync(next, { force: true })
    throw error
  }
  syncFolder(dirname(file))
}

const openNew = (file: string): number => {
  try {
    return openSync(file, 'wx', 0o600)
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'EEXIST')
      throw new KeystoreError(
        `${file} is there: another command changes the keystore, or one was interrupted. Then remove it.`,
      )
    throw new KeystoreError(`${file} cannot be written. Check that its folder is there and may be written.`)
  }
}

/** So that a new name in a folder is on the disk too; not every system lets a folder be synced. */
export const syncFolder = (folder: string): void => {
  try {
    const handle = openSync(folder, 'r')
    fsyncSync(handle)
    closeSync(handle)
  } catch {
    // The file itself is safe.
  }
}
