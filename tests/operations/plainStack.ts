import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { testPort } from '../harness/testPort.js'
import { until } from '../harness/until.js'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const PROGRAM = join(ROOT, 'host', 'bin', 'causeway.js')

/** A file of host/operations as it stands. */
export const operationsFile = (name: string): string => readFileSync(join(ROOT, 'host', 'operations', name), 'utf8')

interface Service {
  readonly command: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly secrets?: readonly string[]
  readonly volumes?: readonly string[]
  readonly working_dir?: string
  readonly profiles?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
}

// CAST: the file is ours; the tests look at what they rely on.
export const composeFile = parse(operationsFile('compose.yaml'), { merge: true }) as ComposeFile

/** How a process ended, and what it said. */
export interface Ended {
  readonly code: number | null
  readonly output: string
}

/** A process that was told its command and variables, and nothing of the test's own environment. */
export class PlainProcess {
  readonly ended: Promise<Ended>
  readonly #child: ChildProcess
  #output = ''

  constructor(
    words: readonly string[],
    options: { readonly env: Readonly<Record<string, string>>; readonly cwd: string },
  ) {
    const [program = '', ...args] = words
    const env = { PATH: process.env.PATH ?? '', HOME: options.cwd, NO_COLOR: '1', ...options.env }
    this.#child = spawn(program, args, { cwd: options.cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#output += chunk.toString()
      })
    }
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (code) => resolve({ code, output: this.#output }))
    })
  }

  get output(): string {
    return this.#output
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    await this.ended
  }
}

export interface StackOptions {
  /** Where everything is written. */
  readonly folder: string
  /** The configuration as an operator writes it, with the paths of the containers. */
  readonly config: string
  /** Files beside the configuration. */
  readonly beside: Readonly<Record<string, string>>
  /** Text of each file under `secrets`. */
  readonly secrets: Readonly<Record<string, string>>
  /** In place of the server of the compose file. */
  readonly databaseUrl: string
}

/** The services of compose.yaml as processes: each in a folder of its own, which holds what its container would. */
export class PlainStack {
  readonly #options: StackOptions
  readonly #running = new Map<string, PlainProcess>()
  readonly #ports = new Map<string, number>()

  constructor(options: StackOptions) {
    this.#options = options
  }

  /** What a service finds under /run/secrets. */
  secretsOf(service: string): readonly string[] {
    return composeFile.services[service]?.secrets ?? []
  }

  url(service: string): string {
    return `http://127.0.0.1:${this.#ports.get(service)}`
  }

  log(service: string): string {
    return this.#running.get(service)?.output ?? ''
  }

  /** Starts a service once those it waits for are as it wants them; resolves when its health check passes. */
  async up(service: string): Promise<void> {
    const child = await this.#start(service)
    this.#running.set(service, child)
    const failed = child.ended.then(({ code, output }) => {
      throw new Error(`${service} ended with ${code}: ${output.slice(-2000)}`)
    })
    await Promise.race([until(`${service} to be healthy`, () => this.#isHealthy(service), 60_000, 150), failed])
  }

  /** Runs a service that ends, with another command where one is given, as `docker compose run` does. */
  async run(service: string, command?: readonly string[]): Promise<Ended> {
    return (await this.#start(service, command)).ended
  }

  async down(): Promise<void> {
    await Promise.all([...this.#running.values()].map((child) => child.stop()))
  }

  async #start(service: string, command = composeFile.services[service]?.command ?? []): Promise<PlainProcess> {
    const { environment = {}, working_dir: place } = composeFile.services[service] ?? { command: [] }
    const root = this.#rootOf(service)
    const port = this.#ports.get(service) ?? (await testPort())
    this.#ports.set(service, port)
    const words = command.map((word) => (word === '3000' ? String(port) : word.replace(/^\/etc\//, `${root}/etc/`)))
    return new PlainProcess([process.execPath, PROGRAM, ...words], {
      cwd: place === undefined ? root : join(root, place),
      env: Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, this.#variable(name, value)])),
    })
  }

  /** Folders of the container: the configuration that every service mounts, and the secrets of this one. */
  #rootOf(service: string): string {
    const { folder, config, beside, secrets } = this.#options
    const root = join(folder, service)
    const settings = join(root, 'etc', 'causeway')
    const kept = join(root, 'run', 'secrets')
    for (const path of [settings, kept]) mkdirSync(path, { recursive: true })
    writeFileSync(join(settings, 'causeway.config.json'), config.replaceAll('/run/secrets/', `${kept}/`))
    for (const [name, text] of Object.entries(beside)) writeFileSync(join(settings, name), text)
    for (const name of this.secretsOf(service)) writeFileSync(join(kept, name), secrets[name] ?? '', { mode: 0o600 })
    return root
  }

  #variable(name: string, value: string): string {
    if (name !== 'DATABASE_URL') return value
    if (!value.endsWith('@postgres:5432/causeway')) throw new Error(`DATABASE_URL is no longer ${value}`)
    return this.#options.databaseUrl
  }

  /** The health check of the image. */
  async #isHealthy(service: string): Promise<true | null> {
    const [, text = ''] =
      /HEALTHCHECK [^[]*CMD (\[.*\])$/m.exec(operationsFile('Dockerfile').replaceAll('\\\n', '')) ?? []
    const words = (JSON.parse(text) as string[]).map((word) =>
      word.replace('127.0.0.1:3000', this.url(service).slice(7)),
    )
    const { code } = await new PlainProcess(words, { cwd: ROOT, env: {} }).ended
    return code === 0 ? true : null
  }
}

/** A systemd unit for one instance of its template: what it runs, and the file of its variables. */
export const unitOf = (name: string, instance: string) => {
  const text = operationsFile(name).replaceAll('%i', instance)
  const settings = new Map([...text.matchAll(/^([A-Za-z]+)=(.*)$/gm)].map(([, key = '', value = '']) => [key, value]))
  return { words: settings.get('ExecStart')?.split(' ') ?? [], environmentFile: settings.get('EnvironmentFile') ?? '' }
}

/** Starts what a unit runs, with the variables of its file, paths moved to `etc` and to this repository. */
export const startUnit = (
  { words }: { readonly words: readonly string[] },
  { etc, env }: { readonly etc: string; readonly env: Readonly<Record<string, string>> },
): PlainProcess =>
  new PlainProcess(
    words.map((word) =>
      word
        .replace(/^\/usr\/bin\/node$/, process.execPath)
        .replace(/^\/opt\/causeway\//, `${ROOT}/`)
        .replace(/^\/etc\/causeway\//, `${etc}/`),
    ),
    { cwd: ROOT, env: { ...env, NODE_ENV: 'production' } },
  )
