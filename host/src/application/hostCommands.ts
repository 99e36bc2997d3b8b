import type { Command } from '@causeway/core/plugin'
import type { LoadedConfig } from '../config/loadConfig.js'
import { shownConfig } from '../config/shownConfig.js'

const JSON_OPTION = { flags: '--json', description: 'Print JSON (schemaVersion 1)' }
/** A doctor asks every endpoint of every chain. */
const DOCTOR_FRESH_MS = 30_000
const ENDPOINT_TIMEOUT_MS = 15_000

const doctorCommand = (loaded: LoadedConfig): Command => ({
  name: 'doctor',
  description: 'Look at everything a deployment needs and say what is wrong; changes nothing',
  options: [JSON_OPTION],
  console: 'read',
  freshMs: DOCTOR_FRESH_MS,
  run: async ({ options, print }) => {
    const [{ runDoctor }, { findingText, summaryText }] = await Promise.all([
      import('../doctor/runDoctor.js'),
      import('../doctor/doctorText.js'),
    ])
    const findings = await runDoctor({ loaded, timeoutMs: ENDPOINT_TIMEOUT_MS })
    if (options.json === true) return print(JSON.stringify({ schemaVersion: 1, findings }, null, 2))
    for (const finding of findings) print(findingText(finding, false))
    print(summaryText(findings))
  },
})

/** `causeway config show`: what is in force, defaults and environment included, without a secret. */
export const configShowCommand = (loaded: LoadedConfig): Command => ({
  name: 'config show',
  description: 'Show the configuration in force, defaults filled in, without keys, passwords and whole URLs',
  options: [JSON_OPTION],
  console: 'read',
  freshMs: DOCTOR_FRESH_MS,
  run: async ({ options, print }) => {
    const config = shownConfig(loaded)
    print(JSON.stringify(options.json === true ? { schemaVersion: 1, config } : config, null, 2))
  },
})

/** Commands of the host itself, for the console of a host with this configuration. The command line has words of its own for them. */
export const commandsOfHost = (loaded: LoadedConfig): readonly Command[] => [
  doctorCommand(loaded),
  configShowCommand(loaded),
]
