import { readFileSync } from 'node:fs'
import semver from 'semver'

// CAST: our own package file.
const ownPackage = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** Version of this core. */
export const CORE_VERSION: string = ownPackage.version

/** Whether a package written for `range` of core runs with this one; null when `range` is no version range. */
export const fitsCore = (range: string): boolean | null =>
  semver.validRange(range) === null ? null : semver.satisfies(CORE_VERSION, range)
