import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bareEnvironment } from '../harness/host/bareEnvironment.js'
import { until } from '../harness/until.js'
import { ROOT, TSC } from '../packing/packages.js'

const run = promisify(execFile)
const CLI = join(ROOT, 'host', 'bin', 'causeway.js')
const CHAIN = 'acme'

let folder = ''
let made = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-tried-'))
  made = join(folder, 'causeway-chain-acme')
  const words = ['create-adapter', 'causeway-chain-acme', '--family', 'example', '--folder', made]
  await run(process.execPath, [CLI, ...words])
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(made, 'package.json'), 'utf8'))
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    const link = join(made, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), link)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const build = () => run(process.execPath, [TSC], { cwd: made })

interface Tried {
  readonly child: ChildProcess
  /** Everything it printed so far. */
  output(): string
  /** Folder of its sandbox. */
  home(): string
  /** Its exit code. */
  readonly ended: Promise<number | null>
}

const tryAdapter = (...flags: readonly string[]): Tried => {
  let output = ''
  const child = spawn(process.execPath, [CLI, 'try-adapter', made, ...flags], { cwd: folder, env: bareEnvironment() })
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  return {
    child,
    output: () => output,
    home: () => /the sandbox runs in (\S+)/.exec(output)?.[1] ?? '',
    ended: new Promise((resolve) => child.once('exit', resolve)),
  }
}

const says = ({ output, child }: Tried, text: string) =>
  until(
    text,
    async () => {
      if (child.exitCode !== null) throw new Error(`It ended without "${text}":\n${output()}`)
      return output().includes(text) || null
    },
    120_000,
  )

/** Command lines of processes that work in the folder of a sandbox. */
const processesIn = async (home: string): Promise<readonly string[]> => {
  const { stdout } = await run('ps', ['-eo', 'args'])
  return stdout.split('\n').filter((line) => line.includes(home))
}

it('asks for a build that is missing or older than the sources', async () => {
  const missing = tryAdapter()
  expect(await missing.ended).toBe(1)
  expect(missing.output()).toMatch(/dist\/index\.js is missing\. In .*, run npm run build first\./)
  await build()
  const source = join(made, 'src', 'ledgerSource.ts')
  writeFileSync(source, readFileSync(source, 'utf8'))
  const old = tryAdapter()
  expect(await old.ended).toBe(1)
  expect(old.output()).toMatch(/ledgerSource\.ts is newer than the build\. In .*, run npm run build first\./)
}, 60_000)

it('moves a transfer to the chain of the generated example and back, and leaves nothing running', async () => {
  await build()
  const tried = tryAdapter()
  await says(tried, 'The host is ready')
  expect(await processesIn(tried.home())).not.toEqual([])
  expect(await tried.ended, tried.output()).toBe(0)
  const steps = ['quoted', 'deposited', 'recognised', 'filled', 'arrived', 'final'].map((step) => `.* {4}${step}: .*\n`)
  const leg = (from: string, to: string) => `From ${from} to ${to}\n${steps.join('')}`
  expect(tried.output()).toMatch(new RegExp(`${leg('harbor', CHAIN)}.*${leg(CHAIN, 'harbor')}`))
  expect(await processesIn(tried.home())).toEqual([])
  expect(existsSync(tried.home())).toBe(false)
}, 240_000)

it('names the deposit that an adapter does not recognise, and what to check', async () => {
  const source = join(made, 'src', 'ledgerSource.ts')
  const text = readFileSync(source, 'utf8')
  writeFileSync(
    source,
    text.replace('deposits: deposit === null ? [] : [deposit]', 'deposits: deposit === null ? [] : []'),
  )
  expect(readFileSync(source, 'utf8')).not.toBe(text)
  await build()
  const tried = tryAdapter('--timeout', '15')
  expect(await tried.ended).toBe(1)
  expect(tried.output()).toContain(`From ${CHAIN} to harbor: the deposit was not recognised (within 15 s).`)
  expect(tried.output()).toMatch(/Last seen: the status of the request is "waiting"; transaction \S+ in a block: true/)
  expect(tried.output()).toMatch(/Check: `watch` must deliver the deposit[\s\S]*nobody has paid it/)
  expect(await processesIn(tried.home())).toEqual([])
  rmSync(tried.home(), { recursive: true })
}, 240_000)

it('ends what it started when it is interrupted while it starts', async () => {
  const tried = tryAdapter()
  await says(tried, 'PostgreSQL is up')
  tried.child.kill('SIGINT')
  expect(await tried.ended).toBe(1)
  expect(await processesIn(tried.home())).toEqual([])
  expect(existsSync(tried.home())).toBe(false)
}, 120_000)
