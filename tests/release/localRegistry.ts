import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bareEnvironment } from '../harness/host/bareEnvironment.js'
import { installPinned } from '../harness/pinnedInstall.js'
import { testPort } from '../harness/testPort.js'
import { until } from '../harness/until.js'

export interface LocalRegistry {
  readonly url: string
  /** Lines for an .npmrc: packages of Causeway come from here, all others from where npm takes them on this machine. */
  readonly npmrc: string
  close(): Promise<void>
}

const FROM = join(dirname(fileURLToPath(import.meta.url)), 'verdaccio')

const SETTINGS = `storage: ./storage
uplinks: {}
packages:
  '**':
    access: $all
    publish: $all
web:
  enable: false
log: { type: stdout, format: json, level: warn }
`

/** Starts an npm registry on a free port of 127.0.0.1 that holds nothing yet and takes whatever is published. */
export const startLocalRegistry = async (): Promise<LocalRegistry> => {
  const { folder, remove } = await installPinned(FROM)
  writeFileSync(join(folder, 'settings.yaml'), SETTINGS)
  const port = await testPort()
  const program = join(folder, 'node_modules', 'verdaccio', 'bin', 'verdaccio')
  const args = [program, '--config', 'settings.yaml', '--listen', `127.0.0.1:${port}`]
  const child = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore', env: bareEnvironment() })
  const url = `http://127.0.0.1:${port}/`
  await until('the registry to answer', async () => {
    if (child.exitCode !== null) throw new Error(`The registry ended with ${child.exitCode}`)
    const answer = await fetch(`${url}-/ping`).catch(() => null)
    return answer?.ok === true ? true : null
  })
  return {
    url,
    // Whoever publishes must name a token, and any will do.
    npmrc: `@causeway:registry=${url}\n//127.0.0.1:${port}/:_authToken=anyone\n`,
    close: async () => {
      const ended = once(child, 'exit')
      if (child.kill()) await ended
      remove()
    },
  }
}
