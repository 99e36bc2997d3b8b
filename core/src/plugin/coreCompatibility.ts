import { readFileSync } from 'node:fs'
import satisfies from 'semver/functions/satisfies.js'
import validRange from 'semver/ranges/valid.js'

// CAST: our own package file.
const ownPackage = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** Version of this core. */
export const CORE_VERSION: string = ownPackage.version

/** Whether a package written for `range` of core runs with this one; null when `range` is no version range. */
export const fitsCore = (range: string): boolean | null =>
  validRange(range) === null ? null : satisfies(CORE_VERSION, range)
