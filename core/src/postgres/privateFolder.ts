import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

const BASE = '/var/tmp'

/** Whether another user can walk to a folder: it and every parent must be open to all. */
export const othersMayReach = (folder: string): boolean => {
  for (let at = fs.realpathSync(folder); ; at = path.dirname(at)) {
    if ((fs.statSync(at).mode & 0o001) === 0) return false
    if (at === path.dirname(at)) return true
  }
}

/** The place for what cannot live beside `original`; one for each path and user. Not made yet. */
export const privateFolderOf = (original: string): string => {
  const key = createHash('sha256')
    .update(`${process.getuid?.() ?? 0}:${original}`)
    .digest('hex')
  return path.join(BASE, `causeway-${key.slice(0, 16)}`)
}

/**
 * Makes a private place, or uses the one made before. Its name can be foretold and anyone may write to the folder around it, so one that somebody
 * else made is refused with an Error.
 */
export const makePrivateFolder = (folder: string): void => {
  try {
    fs.mkdirSync(folder, { mode: 0o711 })
    fs.chmodSync(folder, 0o711)
  } catch (error) {
    if (!(error instanceof Error && Reflect.get(error, 'code') === 'EEXIST')) throw error
  }
  const found = fs.lstatSync(folder)
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
    throw new Error(`${folder} belongs to another user or is open to others. Remove it and start again.`)
  }
}
