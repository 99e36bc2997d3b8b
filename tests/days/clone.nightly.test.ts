import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bareEnvironment } from '../harness/host/bareEnvironment.js'
import type { HostProcess } from '../harness/host/hostProcess.js'
import { repositoryFiles } from '../harness/repositoryFiles.js'
import { ROOT } from '../packing/packages.js'
import { applied, fills, LONG, NEWEST_BEFORE, old, operator, skipped, transfer, useUpgrade } from './upgradeWorld.js'

const TAG = 'next'
const CONFIGURATION = ' --config <configuration>'

/** A minute or two on a quiet machine: a gigabyte is installed, built and removed. */
const GIGABYTE = 1_800_000

/** Lines of the shell blocks that day2.md has on clones, in its order. */
const documentedLines = (): readonly string[] => {
  const page = readFileSync(join(ROOT, 'host/operations/day2.md'), 'utf8')
  const [section = ''] = /\n\*\*A clone\*\*[\s\S]*?(?=\n###? )/.exec(page) ?? []
  return [...section.matchAll(/^```\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) => block.trim().split('\n'))
}

/** Where the clone lies, and the folders made beside it. */
let place: string

/** Runs lines in one shell, as an operator types them. Fails with what they printed. */
const typed = async (folder: string, ...lines: readonly string[]): Promise<void> => {
  const env = bareEnvironment({
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  })
  const options = { cwd: folder, env, maxBuffer: 50_000_000 }
  await promisify(execFile)('bash', ['-ec', lines.join('\n')], options).catch(
    (error: { readonly stdout: string; readonly stderr: string }) => {
      throw new Error(`${lines.join('\n')}\n${error.stdout.slice(-3_000)}\n${error.stderr.slice(-3_000)}`)
    },
  )
}

const COMMIT = 'git -c user.name=tests -c user.email=tests@localhost commit --quiet --message'

/** A clone as it was before this version; its origin has this version by now, under a tag. The history of the repository is not needed. */
const makeClone = async (): Promise<void> => {
  const origin = join(place, 'origin')
  mkdirSync(origin)
  writeFileSync(join(origin, 'README.md'), 'The version before\n')
  await typed(place, 'git init --quiet origin', 'cd origin', 'git add --all', `${COMMIT} before`)
  await typed(place, 'git clone --quiet origin causeway')
  for (const path of repositoryFiles()) cpSync(join(ROOT, path), join(origin, path))
  await typed(origin, 'git add --all', `${COMMIT} next`, `git tag ${TAG}`)
}

useUpgrade()

describe.skipIf(skipped !== '')(`a clone is upgraded by the commands of day2.md, one after another${skipped}`, () => {
  const lines = documentedLines().map((line) => line.replace('<tag>', TAG))
  const program = () => join(place, 'causeway-next', 'node_modules', '.bin', 'causeway')
  /** The words of a line that runs the new program over the configuration of the deployment. */
  const wordsOf = (line: string): string => {
    expect(line).toMatch(/^node_modules\/\.bin\/causeway /)
    expect(line.endsWith(CONFIGURATION)).toBe(true)
    return line.slice('node_modules/.bin/causeway '.length, -CONFIGURATION.length)
  }
  const [fetch = '', add = '', build = '', migrate = '', doctor = '', start = '', remove = ''] = lines
  let host: HostProcess

  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), 'causeway-clone-'))
    await makeClone()
  })
  afterAll(() => rmSync(place, { recursive: true, force: true }))

  it(
    'builds the new version in a folder of its own, while hosts of the old one work',
    async () => {
      expect(lines).toHaveLength(7)
      await transfer(old)
      await typed(place, fetch, add, build)
      expect(existsSync(program())).toBe(true)
      await transfer(old)
    },
    GIGABYTE,
  )

  it(
    'migrates under the old version, and the new doctor finds nothing wrong with the tables',
    async () => {
      expect((await applied('deployed')).at(-1)).toBe(NEWEST_BEFORE)
      await operator.causewayWith({ program: program() }, wordsOf(migrate))
      expect((await applied('deployed')).at(-1)).not.toBe(NEWEST_BEFORE)
      // The server of the test does not flush its commits, and the doctor says so.
      const said = await operator.causewayWith({ program: program() }, wordsOf(doctor), 1)
      const faults = said.split('\n').filter((line) => /^\s*fault\b/i.test(line))
      expect(faults.map((line) => line.trim())).toEqual([expect.stringContaining('database durability')])
    },
    LONG,
  )

  it(
    'starts the new host beside the old one, which then stops; each transfer is paid once',
    async () => {
      expect(wordsOf(start)).toBe('start')
      host = await operator.start({ program: program() })
      await transfer(host)
      await transfer(old)
      await operator.stop(old)
      await transfer(host)
      expect(await fills()).toEqual([1, 1, 1, 1, 1])
      await operator.stop(host)
    },
    LONG,
  )

  it(
    'removes a folder that no host runs from; the clone stays',
    async () => {
      await typed(place, remove.replace('<folder>', '../causeway-next'))
      expect([existsSync(join(place, 'causeway-next')), existsSync(join(place, 'causeway', '.git'))]).toEqual([
        false,
        true,
      ])
    },
    GIGABYTE,
  )
})
