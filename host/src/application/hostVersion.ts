import { readFileSync } from 'node:fs'

// CAST: our own package file.
const ownPackage = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** Version of the host, shown as the service's. */
export const HOST_VERSION: string = ownPackage.version
