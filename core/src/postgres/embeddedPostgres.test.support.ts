import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres, stopEmbeddedPostgres } from './embeddedPostgres.js'

export const LONG = 120_000
const TSC = path.join(createRequire(import.meta.url).resolve('typescript/package.json'), '..', 'bin', 'tsc')

export let folder: string
const used = new Set<string>()

/** A data folder of one's own; its server is stopped at the end whatever happened. */
export const newFolder = (name: string): string => {
  const dataDir = path.join(folder, name, 'data')
  used.add(dataDir)
  return dataDir
}

/** Clusters of tests need no sync, but for the one that looks at it. */
export const QUICK = ['fsync=off']

export const start = (dataDir: string, options: { port?: number } = {}) =>
  startEmbeddedPostgres({ dataDir, settings: QUICK, ...options })

export const ask = async (server: { url: string }, text: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  try {
    return (await client.query<unknown[]>({ text, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}

/** Other processes run the launcher as plain JavaScript, from a folder that finds the same packages. */
const transpileLauncher = (): void => {
  const source = fileURLToPath(new URL('../../src', import.meta.url))
  const entries = ['postgres/embeddedPostgres.ts', 'postgres/sharedPostgres.ts']
  const settings = ['--ignoreConfig', '--noCheck', '--types', 'node', '--module', 'nodenext', '--target', 'es2022']
  execFileSync(process.execPath, [TSC, ...settings, '--rootDir', '.', '--outDir', folder, ...entries], { cwd: source })
  fs.writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
  fs.symlinkSync(
    path.join(path.dirname(createRequire(import.meta.url).resolve('pg/package.json')), '..'),
    path.join(folder, 'node_modules'),
  )
  fs.writeFileSync(
    path.join(folder, 'child.js'),
    `import { startEmbeddedPostgres } from './postgres/embeddedPostgres.js'
    import { useEmbeddedPostgres } from './postgres/sharedPostgres.js'
    if (process.argv[3] === 'use') await useEmbeddedPostgres({ dataDir: process.argv[2], settings: ['fsync=off'] })
    const { url, pid, port, adopted } = await startEmbeddedPostgres({ dataDir: process.argv[2], settings: ['fsync=off'] })
    console.log(JSON.stringify({ url, pid, port, adopted }))
    setInterval(() => undefined, 1000)`,
  )
}

interface Answer extends Pick<EmbeddedPostgres, 'url' | 'pid' | 'port' | 'adopted'> {
  readonly process: ChildProcess
}

export const startInChild = async (
  dataDir: string,
  user: { uid?: number; gid?: number } = {},
  how: 'start' | 'use' = 'start',
): Promise<Answer> => {
  const child = spawn(process.execPath, [path.join(folder, 'child.js'), dataDir, how], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, SECRET_OF_PARENT: 'x' },
    ...user,
  })
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`the launcher ended with ${code}`)
  })
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), exited])
  exited.catch(() => undefined)
  return { ...JSON.parse(line), process: child }
}

export const kill = async (child: ChildProcess): Promise<void> => {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

/** Makes a folder whose launcher other processes run before the tests of a file, and stops every server in it afterwards. */
export const useLauncher = (): void => {
  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'causeway-launcher-'))
    fs.chmodSync(folder, 0o711)
    transpileLauncher()
  })
  afterAll(async () => {
    for (const dataDir of used) await stopEmbeddedPostgres(dataDir)
    fs.rmSync(folder, { recursive: true, force: true })
  })
}
