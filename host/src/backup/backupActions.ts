import { resolve } from 'node:path'
import type { EnvironmentVariables } from '@causeway/core'
import { CORE_TOKENS } from '../container/registerCore.js'
import { packageMigrations } from '../doctor/database/migrationCheck.js'
import { loadPackages } from '../plugins/loadPackages.js'
import { ageText } from './ageText.js'
import { type BackupDeps, makeBackup } from './makeBackup.js'
import { type BackupManifest, checkIntact, readManifest } from './manifest.js'
import { readMasterMarks } from './masterMarks.js'
import { findTools, runTool } from './postgresTools.js'
import { sizeText } from './progress.js'
import { restoreBackup } from './restoreBackup.js'

export interface BackupActionDeps extends BackupDeps {
  /** Where keys may be. */
  readonly environment: EnvironmentVariables
}

const newest = ({ facts }: BackupManifest): string =>
  facts.migrations.filter(({ table }) => table === 'migrations_core').at(-1)?.name ?? 'none'

const describe = (manifest: BackupManifest): readonly string[] => [
  `network      ${manifest.facts.network ?? 'not set yet'}`,
  `as of        ${manifest.takenAt}`,
  `made by      Causeway ${manifest.program}, PostgreSQL ${manifest.facts.serverMajor}`,
  `tables up to ${newest(manifest)}`,
  `cluster      ${manifest.facts.history}`,
  `master key   ${manifest.facts.masterMark ?? 'none yet'}${manifest.facts.nextMasterMark === null ? '' : ` and ${manifest.facts.nextMasterMark}`} (marks)`,
  `size         ${sizeText(manifest.bytes)}`,
]

const printAll = (print: (line: string) => void, lines: readonly string[]): void => {
  for (const line of lines) print(line)
}

/** `causeway backup <file>`. @throws BackupError */
export const backup = async (deps: BackupActionDeps, file: string): Promise<void> => {
  const manifest = await makeBackup(deps, file)
  printAll(deps.print, [
    `${resolve(file)} is written.`,
    ...describe(manifest),
    'Keep it with its .json away from this machine, and the keys apart from both: it holds no signing key and no master key.',
  ])
}

/** `causeway backup verify <file>`. @throws BackupError */
export const verify = async (deps: BackupActionDeps, name: string): Promise<void> => {
  const file = resolve(name)
  const manifest = readManifest(file)
  await checkIntact(file, manifest)
  if (manifest.kind === 'dump') {
    const tools = await findTools(deps.loaded.environment, manifest.toolMajor ?? 0, deps.toolFolder)
    // Writes the whole script to nowhere, so that each block of the file was unpacked once.
    const reading = runTool(tools, 'pg_restore', ['--file=-', file], { env: { LC_ALL: 'C' } })
    reading.child.stdin.end()
    reading.child.stdout.resume()
    await reading.done
  }
  printAll(deps.print, ['The backup is whole.', ...describe(manifest)])
}

/** `causeway restore <file>`. @throws BackupError */
export const restore = async (deps: BackupActionDeps, file: string): Promise<void> => {
  const packages = await loadPackages(deps.loaded, CORE_TOKENS)
  const started = Date.now()
  const { manifest, notes } = await restoreBackup(deps, file, {
    network: deps.loaded.config.network,
    masterMarks: readMasterMarks(deps.loaded, deps.environment),
    packages: packageMigrations(packages),
  })
  const age = ageText(Date.now() - Date.parse(manifest.takenAt))
  printAll(deps.print, [
    `Restored in ${Math.ceil((Date.now() - started) / 1_000)} s.`,
    `The backup was taken at ${manifest.takenAt}, ${age} before now: the database is as it was then.`,
    ...notes,
    ...NEXT,
  ])
}

const NEXT = [
  '',
  'In a drill go on with 1. and "causeway ledger check --offline", and start no host: the payout keys are at work elsewhere.',
  'What was paid since is on the chains, and the hosts find it there; nothing is paid twice. In place of a lost database:',
  '  1. causeway doctor                   before any host: configuration, keys, chains, tables',
  '  2. causeway start                    your hosts as before; no other host may use these payout keys',
  '  3. causeway lanes                    each lane is compared with its chain: settling, open, or quarantined',
  '  4. causeway lanes inspect <chain>    what a quarantined lane found, and the command that closes each',
  '  5. causeway parked list              deposits whose quotes the backup does not know, and what paid them',
  '  6. causeway ledger check             the books against the chains; nothing is left when it passes',
  'Operations, "Restore drill" tells each step.',
]
