import { type ChildProcess, fork } from 'node:child_process'
import { bareEnvironment } from '../../harness/host/bareEnvironment.js'
import { builtFile } from '../builtFile.js'
import type { SeedResult } from '../runSeed.js'
import { type SeedCluster, startSeedCluster } from './seedCluster.js'
import { type SeedAnswer, type SeedTask, WORKER_VARIABLES } from './seedTask.js'
import { serverCpuMs } from './serverCpu.js'

/** What became of a seed, and what it cost the worker's process. */
export interface SeedRun extends Omit<SeedResult, 'coverage'> {
  /** Null where the run gave none. */
  readonly coverage: SeedResult['coverage'] | null
  readonly cpuMs: number
}

/** Invariant of a seed whose run threw, or whose process died or did not end. */
export const RUN_ENDS = 'the run of a seed ends by itself'

export interface SeedWorkerOptions {
  /** Runs without this defence. */
  readonly mutant?: string | null
  /** Milliseconds that a seed may take; default 300,000. */
  readonly limitMs?: number
  /** The program, in place of the simulation's own. */
  readonly program?: string
}

const LIMIT_MS = 300_000
/** Seeds that one process runs: hosts that were killed leave what waits for ever in its memory. */
const SEEDS_OF_A_PROCESS = 30
/** What a process said last is kept of its end. */
const SAID = 4_000

interface Child {
  readonly process: ChildProcess
  said(): string
}

/** A process with a PostgreSQL of its own that runs seeds one at a time; one that dies is a failed seed, and another one takes its place. */
export class SeedWorker {
  readonly #cluster: SeedCluster
  readonly #options: SeedWorkerOptions
  #mutant: string | null
  #child: Child | null = null
  #runs = 0

  private constructor(cluster: SeedCluster, options: SeedWorkerOptions) {
    this.#cluster = cluster
    this.#options = options
    this.#mutant = options.mutant ?? null
  }

  /** @throws Error with what the process said, where it does not come up */
  static async start(options: SeedWorkerOptions = {}): Promise<SeedWorker> {
    const worker = new SeedWorker(await startSeedCluster(), options)
    try {
      worker.#child = await worker.#startChild()
    } catch (error) {
      await worker.stop()
      throw error
    }
    return worker
  }

  async run(task: SeedTask): Promise<SeedRun> {
    const child = this.#child?.process.connected ? this.#child : await this.#startChild()
    this.#child = child
    const answer = await answerOf(child, task, this.#options.limitMs ?? LIMIT_MS)
    this.#runs += 1
    if (answer.kind !== 'result') {
      // What is left in its memory is nothing to go on with.
      this.#endChild()
      return failedRun(task, answer)
    }
    if (this.#runs % SEEDS_OF_A_PROCESS === 0) this.#endChild()
    return { ...answer.result, cpuMs: answer.cpuMs }
  }

  /** Runs without this defence, or with all of them, from the next seed on. */
  useMutant(mutant: string | null): void {
    if (mutant === this.#mutant) return
    this.#mutant = mutant
    this.#endChild()
  }

  /** Milliseconds of processor that its PostgreSQL took so far; null where that is not told. */
  serverCpuMs(): number | null {
    return serverCpuMs(this.#cluster.pid)
  }

  async stop(): Promise<void> {
    this.#endChild()
    await this.#cluster.stop()
  }

  #endChild(): void {
    this.#child?.process.kill('SIGKILL')
    this.#child = null
  }

  async #startChild(): Promise<Child> {
    const { program = builtFile('tests/dist/simulation/worker.js') } = this.#options
    const process = fork(program, [], {
      env: bareEnvironment({
        [WORKER_VARIABLES.url]: this.#cluster.url,
        [WORKER_VARIABLES.folder]: this.#cluster.dataDir,
        [WORKER_VARIABLES.mutant]: this.#mutant ?? '',
      }),
      // Collects garbage less often, on the one processor that it works on, and compiles only what runs.
      execArgv: [
        ...['--min-semi-space-size=64', '--max-semi-space-size=64', '--initial-old-space-size=256'],
        ...['--single-threaded-gc', '--max-lazy'],
        // Mutants are of single files.
        '--conditions=unbundled',
      ],
      // Keeps what JSON would not: bigint, Map.
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    let said = ''
    for (const stream of [process.stdout, process.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        said = (said + chunk.toString()).slice(-SAID)
      })
    }
    const child = { process, said: () => said }
    const first = await answerOf(child, null, this.#options.limitMs ?? LIMIT_MS)
    if (first.kind === 'ready') return child
    throw new Error(first.kind === 'failed' ? first.words : 'The worker answered before it was asked.')
  }
}

/** The next answer of a process, after a task if there is one; `failed` with its last words where it dies or takes too long. */
const answerOf = (child: Child, task: SeedTask | null, limitMs: number): Promise<SeedAnswer> =>
  new Promise((resolve) => {
    const { process } = child
    const end = (answer: SeedAnswer): void => {
      clearTimeout(timer)
      process.off('message', onMessage).off('close', onClose)
      resolve(answer)
    }
    const fail = (words: string): void => end({ kind: 'failed', words: `${words}\n${child.said()}`.trim(), cpuMs: 0 })
    // CAST: the worker sends nothing else.
    const onMessage = (message: unknown): void => end(message as SeedAnswer)
    const onClose = (code: number | null, signal: string | null): void =>
      fail(`The process ended with ${signal ?? code}.`)
    const timer = setTimeout(() => fail(`It did not end within ${limitMs / 1_000} s.`), limitMs)
    process.on('message', onMessage).on('close', onClose)
    if (task !== null && process.connected) process.send(task)
  })

const failedRun = ({ seed, plan = [] }: SeedTask, answer: SeedAnswer): SeedRun => ({
  seed,
  steps: plan.length,
  payouts: 0,
  statements: 0,
  events: 0,
  virtualMs: 0,
  digest: '',
  problems: [{ invariant: RUN_ENDS, words: answer.kind === 'failed' ? answer.words : 'It gave no result.' }],
  story: [],
  plan,
  coverage: null,
  cpuMs: answer.kind === 'failed' ? answer.cpuMs : 0,
})
