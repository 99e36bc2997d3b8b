import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repositoryFiles } from '../harness/repositoryFiles.js'
import { ROOT } from '../packing/packages.js'
import { listedOperations, pathsOfUnbuiltSections, routePathsIn } from './unbuilt.js'

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const wire = read('core/docs/wire.md')
const sources = repositoryFiles().filter((path) =>
  /^(core|host|plugins\/[^/]+)\/src\/.*(?<!\.test|\.support)\.ts$/.test(path),
)
const served = new Set(sources.flatMap((path) => routePathsIn(read(path))))
/** Parts that are neither an operation nor built, with what would show that they are. */
const UNBUILT: readonly (readonly [says: RegExp, isBuilt: () => boolean])[] = [
  [/^A section, field or row that says/, () => false],
  [/\| useExternalLiquidity/, () => declares('useExternalLiquidity')],
  [/\| useFallbacks|\| fallbackType/, () => declares('useFallbacks')],
  [/deposit\.relay|settlement\.(relay|attestation)|deposit\.attestation/, () => false],
  [/reserved for what is not built yet/, () => false],
]

/** Whether a quote extension has the field in its schema. */
const declares = (field: string): boolean =>
  sources.some((path) => /^plugins\//.test(path) && read(path).includes(`${field}: Type.`))

describe('wire.md calls built what is built, and nothing else', () => {
  it('each operation of 0.6 has a route, unless it is called not built', () => {
    const operations = listedOperations(wire, served)
    expect(operations.length).toBeGreaterThan(40)
    expect(operations.filter(({ path, built }) => served.has(path) !== built)).toEqual([])
  })

  it('no operation of a section that is not built has a route', () => {
    const paths = pathsOfUnbuiltSections(wire)
    expect(paths.length).toBeGreaterThan(3)
    expect(paths.filter((path) => served.has(path))).toEqual([])
  })

  it('each other line that says "not built" is of a known part, which is not there', () => {
    const lines = wire.split('\n').filter((line) => /not built/i.test(line))
    const others = lines.filter((line) => !/^\| (GET|POST) \/|^Not built yet/.test(line))
    const unknown = others.filter((line) => !UNBUILT.some(([says]) => says.test(line)))
    expect(unknown).toEqual([])
    const built = UNBUILT.filter(([says, isBuilt]) => others.some((line) => says.test(line)) && isBuilt())
    expect(built.map(([says]) => String(says))).toEqual([])
  })
})
