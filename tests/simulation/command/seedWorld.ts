import { writeFileSync } from 'node:fs'
import type { BuildDeps } from '../buildWorld.js'
import { queryOver } from '../database/query.js'
import { takeSnapshot } from '../database/snapshot.js'
import { connectionTo, createWorldDatabase, filesIn } from '../database/worldDatabase.js'
import { SimDatabase } from '../kernel/simDatabase.js'
import { BEGINNING } from '../world.js'

/** Which server the world's database says it is on, until a failover: cluster and timeline. */
const IDENTITY = '7000000000000000001 1 '

export interface SeedWorldOptions {
  /** URL of a server that nobody else uses. */
  readonly server: string
  /** Folder that this process may write to, and the server reads. */
  readonly folder: string
}

/** What worlds stand on, one after another: their database, made anew, and what they find in it. */
export const openSeedWorld = async ({ server, folder }: SeedWorldOptions): Promise<BuildDeps> => {
  const files = filesIn(folder)
  writeFileSync(files.time, `${BEGINNING}       `)
  writeFileSync(files.identity, IDENTITY)
  const databaseUrl = await createWorldDatabase(server, files)
  const database = new SimDatabase(connectionTo(databaseUrl))
  const fresh = await takeSnapshot(queryOver(await database.side()))
  return { database, databaseUrl, files, fresh }
}
