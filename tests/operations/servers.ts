import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { testPort } from '../harness/testPort.js'
import { until } from '../harness/until.js'

const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']

/** A program of a Debian package; undefined where it is not installed. */
export const findProgram = (name: string): string | undefined =>
  folders.map((folder) => join(folder, name)).find((path) => existsSync(path))

/** A server of this test's own. */
export interface Server {
  readonly port: number
  stop(): Promise<void>
}

const serverOf = (child: ChildProcess, port: number): Server => ({
  port,
  stop: () =>
    new Promise((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve()
      child.once('exit', () => resolve())
      child.kill('SIGTERM')
    }),
})

export const startRedis = async (program: string, folder: string): Promise<Server> => {
  const port = await testPort()
  const child = spawn(program, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('Redis ended')))
    child.stdout.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('Ready to accept connections')) resolve()
    })
  })
  return serverOf(child, port)
}

/** What Prometheus has of one series now. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface FiringAlert {
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

export interface Prometheus {
  /** Throws what Prometheus says of an expression that it does not understand. */
  query(expression: string): Promise<readonly Sample[]>
  firing(): Promise<readonly FiringAlert[]>
  stop(): Promise<void>
}

/** Collects from these hosts each second and evaluates the rules as often. */
export const startPrometheus = async (
  program: string,
  { folder, rules, targets }: { readonly folder: string; readonly rules: string; readonly targets: readonly string[] },
): Promise<Prometheus> => {
  const port = await testPort()
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'rules.yml'), rules)
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: [join(folder, 'rules.yml')],
    scrape_configs: [{ job_name: 'causeway', static_configs: [{ targets }] }],
  }
  // JSON is YAML too.
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config))
  const flags = [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]
  const child = spawn(program, flags, { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  await until('Prometheus', () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok || null,
      () => null,
    ),
  )
  const ask = async <Data>(path: string): Promise<Data> => {
    const answer = await fetch(`${url}/api/v1/${path}`)
    // CAST: the API of Prometheus, version 1.
    const body = (await answer.json()) as { readonly status: string; readonly error?: string; readonly data: Data }
    if (body.status !== 'success') throw new Error(body.error)
    return body.data
  }
  interface Found {
    readonly result: readonly { readonly metric: Record<string, string>; readonly value: readonly [number, string] }[]
  }
  return {
    query: async (expression) => {
      const { result } = await ask<Found>(`query?query=${encodeURIComponent(expression)}`)
      return result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }))
    },
    firing: async () => {
      const { alerts } = await ask<{ readonly alerts: readonly (FiringAlert & { readonly state: string })[] }>('alerts')
      return alerts.filter(({ state }) => state === 'firing')
    },
    stop: serverOf(child, port).stop,
  }
}
