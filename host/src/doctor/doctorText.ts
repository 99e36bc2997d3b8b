import { styleText } from 'node:util'
import type { Diagnosis } from '@causeway/core/chain'

const MARK = { ok: 'ok', warning: 'warning', fault: 'FAULT', unchecked: 'unchecked' } as const
const COLOUR = { ok: 'green', warning: 'yellow', fault: 'red', unchecked: 'cyan' } as const
const MARK_WIDTH = 10
const CHECK_WIDTH = 20

/** One finding as a line, and its remedy as a second one. */
export const findingText = ({ state, check, subject, message, remedy }: Diagnosis, colours: boolean): string => {
  const mark = MARK[state].padEnd(MARK_WIDTH)
  const shown = colours ? styleText(COLOUR[state], mark, { validateStream: false }) : mark
  const line = `${shown}${check.padEnd(CHECK_WIDTH)} ${subject}: ${message}`
  return remedy === undefined ? line : `${line}\n${' '.repeat(MARK_WIDTH + CHECK_WIDTH + 1)}-> ${remedy}`
}

/** The last line: how many of each. */
export const summaryText = (findings: readonly Diagnosis[]): string => {
  const count = (state: Diagnosis['state']) => findings.filter((finding) => finding.state === state).length
  const faults = count('fault')
  const warnings = count('warning')
  const unchecked = count('unchecked')
  const plural = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`
  const open = unchecked === 0 ? '' : ` ${unchecked} could not be checked from here.`
  if (faults + warnings === 0) return `All ${findings.length - unchecked} checks are well.${open}`
  return `${plural(faults, 'fault')}, ${plural(warnings, 'warning')}, ${count('ok')} well.${open}`
}
