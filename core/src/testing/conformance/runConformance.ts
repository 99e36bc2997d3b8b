import { readFileSync } from 'node:fs'
import type { Capabilities } from '../../chain/chainAdapter.js'
import { type ConformanceCase, conformanceCases } from './conformanceCases.js'
import type { ConformanceHarness } from './conformanceHarness.js'

/** Result of a run of the kit. */
export interface ConformanceReport {
  readonly passed: number
  readonly failed: readonly { readonly name: string; readonly message: string }[]
  /** Rules that the chain declares not to keep, with the reason. */
  readonly deviations: readonly { readonly name: string; readonly reason: string }[]
  /** Rules that have no meaning for what the adapter declares to be. */
  readonly exemptions: readonly { readonly name: string; readonly reason: string }[]
  readonly capabilities: Capabilities
  readonly versions: { readonly adapter: string; readonly core: string; readonly localChain: string }
}

export interface RunConformanceOptions {
  /** Takes each line of the report; absent: nothing is printed. */
  readonly print?: (line: string) => void
  /** A rule that takes longer counts as broken. Default: 120 seconds. */
  readonly secondsPerRule?: number
}

/** Runs every rule of the kit against a harness, one after the other, and reports. Never throws for a broken rule. */
export const runConformance = async (
  harness: ConformanceHarness,
  { print = () => undefined, secondsPerRule = 120 }: RunConformanceOptions = {},
): Promise<ConformanceReport> => {
  const cases = conformanceCases(harness)
  const failed: { name: string; message: string }[] = []
  let passed = 0
  for (const item of cases) {
    const message = await runOne(item, secondsPerRule)
    if (message !== null) failed.push({ name: item.id, message })
    else if (item.deviation === null && item.exemption === null) passed += 1
    for (const line of linesOf(item, message)) print(line)
  }
  const report: ConformanceReport = {
    passed,
    failed,
    deviations: cases.flatMap(({ id, deviation }) => (deviation === null ? [] : [{ name: id, reason: deviation }])),
    exemptions: cases.flatMap(({ id, exemption }) => (exemption === null ? [] : [{ name: id, reason: exemption }])),
    capabilities: harness.adapter.capabilities,
    versions: { ...harness.versions, core: coreVersion() },
  }
  for (const line of summaryOf(report)) print(line)
  return report
}

/** What went wrong, or null. */
const runOne = async ({ id, run }: ConformanceCase, seconds: number): Promise<string | null> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${id} did not end within ${seconds} seconds`)), seconds * 1000)
  })
  try {
    await Promise.race([run(), late])
    return null
  } catch (error) {
    return error instanceof Error && error.message !== '' ? error.message : String(error)
  } finally {
    clearTimeout(timer)
  }
}

const linesOf = ({ name, deviation, exemption }: ConformanceCase, message: string | null): readonly string[] => {
  if (message !== null) return [`broken     ${name}`, `           -> ${message}`]
  if (deviation !== null) return [`deviation  ${name}`]
  return [exemption === null ? `kept       ${name}` : `n/a        ${name}`]
}

const summaryOf = ({ passed, failed, deviations, capabilities, versions }: ConformanceReport): readonly string[] => [
  '',
  `${passed} passed, ${failed.length} failed`,
  ...(deviations.length === 0 ? [] : [`deviations: ${deviations.map(({ name }) => name).join(', ')}`]),
  `capabilities: ${Object.entries(capabilities)
    .map(([name, value]) => `${name}=${Array.isArray(value) ? `[${value.join(' ')}]` : String(value)}`)
    .join(', ')}`,
  `versions: ${versions.adapter}, @causeway/core ${versions.core}, ${versions.localChain}`,
]

/** The same distance from the package's folder in sources and build. */
const coreVersion = (): string => {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  // CAST: npm reads the same file.
  return (JSON.parse(text) as { readonly version: string }).version
}
