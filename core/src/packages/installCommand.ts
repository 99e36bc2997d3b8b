import { readFileSync } from 'node:fs'

/**
 * Returns the npm command that installs optional peers of a package, at the versions that its `package.json` pins; null
 * when the package declares no such peer.
 */
export const installCommand = (manifest: URL, names: readonly string[]): string | null => {
  // CAST: npm reads the same file.
  const { peerDependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    readonly peerDependencies?: Readonly<Record<string, string>>
  }
  if (names.some((name) => peerDependencies[name] === undefined)) return null
  return `npm install ${names.map((name) => `${name}@${peerDependencies[name]}`).join(' ')}`
}
