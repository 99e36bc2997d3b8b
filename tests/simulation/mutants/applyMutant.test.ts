import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { bareEnvironment } from '../../harness/host/bareEnvironment.js'

const run = promisify(execFile)
const BUILT = fileURLToPath(new URL('../../dist/simulation/mutants/', import.meta.url))
const TESTS = fileURLToPath(new URL('../..', import.meta.url))

/** What a process says that applies a mutant around `import('@causeway/core/chain')`. */
const say = async (mutant: string, before: string, after: string): Promise<string> => {
  const program = `
    import { applyMutant } from '${BUILT}applyMutant.js'
    import { mutantNamed } from '${BUILT}mutants.js'
    ${before}
    const requireLoaded = applyMutant({ ...mutantNamed('tier-ignored'), ${mutant} })
    ${after}`
  const { stdout } = await run(process.execPath, ['--conditions=unbundled', '--input-type=module', '-e', program], {
    cwd: TESTS,
    env: bareEnvironment(),
  })
  return stdout.trim()
}

const DEMAND = `
  const { quorumDemand } = await import('@causeway/core/chain')
  const tier = { aboveUsd: '1', agreeing: 2 }
  console.log(quorumDemand({ quorum: [tier], rpc: [], confirmations: { fill: 1 } }, null).agreeing)`

it('runs the rest of a process without the defence', async () => {
  expect(await say('', '', `${DEMAND}\nrequireLoaded()`)).toBe('1')
})

it('fails where the text is not found', async () => {
  await expect(say(`find: 'nothing of it'`, '', DEMAND)).rejects.toThrow(/stands 0 times/)
})

it('fails where the file was imported before', async () => {
  await expect(say('', DEMAND, 'requireLoaded()')).rejects.toThrow(/imported before the mutant was applied/)
})
