import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { measureCopy } from '@causeway/core/host'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { BackupError } from './backupError.js'

const nullable = Type.Union([Type.String(), Type.Null()])

/** What the tables say of a database: whose it is and how far it was migrated. */
export const factsSchema = Type.Object({
  /** Major version of the server. */
  serverMajor: Type.Integer(),
  /** The cluster and its timeline; `-` for what the server does not tell. */
  history: Type.String(),
  network: nullable,
  /** Recognises the master key without telling anything of it. */
  masterMark: nullable,
  nextMasterMark: nullable,
  migrations: Type.Array(Type.Object({ table: Type.String(), name: Type.String(), breaking: Type.Boolean() })),
})

const manifestSchema = Type.Object({
  schemaVersion: Type.Literal(1),
  /** `dump`: a file in PostgreSQL's custom format. `folder`: the stopped data folder of the embedded server. */
  kind: Type.Union([Type.Literal('dump'), Type.Literal('folder')]),
  /** Version of the program that made it. */
  program: Type.String(),
  /** Major version of the pg_dump that wrote it; null for a folder. */
  toolMajor: Type.Union([Type.Integer(), Type.Null()]),
  /** The moment of the database that it holds, ISO 8601 in UTC, by the server's clock. */
  takenAt: Type.String(),
  facts: factsSchema,
  bytes: Type.Integer(),
  sha256: Type.String(),
})

export type DatabaseFacts = Static<typeof factsSchema>

/** What stands beside a backup in `<file>.json`. It holds no secret. */
export type BackupManifest = Static<typeof manifestSchema>

export const manifestFile = (file: string): string => `${file}.json`

/** @throws BackupError when there is none, or it was made by something else */
export const readManifest = (file: string): BackupManifest => {
  const place = manifestFile(file)
  if (!existsSync(file)) throw new BackupError(`There is no backup ${file}.`)
  if (!existsSync(place)) {
    throw new BackupError(`${place} is missing. It is written beside each backup and says what is in it: put it back.`)
  }
  let value: unknown
  try {
    value = JSON.parse(readFileSync(place, 'utf8'))
  } catch {
    throw new BackupError(`${place} cannot be read as JSON. Take another copy of the backup.`)
  }
  if (!Value.Check(manifestSchema, value)) {
    throw new BackupError(`${place} does not describe a backup that this version knows. Use the version that made it.`)
  }
  return value
}

/** Only this user may read it. */
export const writeManifest = (place: string, manifest: BackupManifest): void =>
  writeFileSync(place, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true })

/** Bytes and digest of a backup as it lies there. */
export const measure = async (
  file: string,
  kind: BackupManifest['kind'],
): Promise<Pick<BackupManifest, 'bytes' | 'sha256'>> => {
  if (kind === 'folder') return measureCopy(file)
  const digest = createHash('sha256')
  await pipeline(createReadStream(file), digest)
  return { bytes: statSync(file).size, sha256: digest.digest('hex') }
}

/** Compares a backup with what was written down when it was made. @throws BackupError when a byte differs */
export const checkIntact = async (file: string, manifest: BackupManifest): Promise<void> => {
  const isFolder = statSync(file).isDirectory()
  const found = isFolder === (manifest.kind === 'folder') ? await measure(file, manifest.kind) : null
  if (found?.bytes === manifest.bytes && found.sha256 === manifest.sha256) return
  throw new BackupError(
    `${file} is not what was written when the backup was made: it is damaged or cut short. Use another one.`,
  )
}
