import { readFileSync } from 'node:fs'
import { register } from 'node:module'
import { pathToFileURL } from 'node:url'
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import { builtFile } from '../builtFile.js'
import type { Mutant } from './mutant.js'
import type { MutantHookData } from './mutantHook.js'
import { mutatedText } from './mutatedText.js'

/**
 * Has the rest of this process run without a defence: to be called before anything of the service is imported, which is then to be
 * imported by `import()`. Returns what throws unless the file was loaded since.
 * @throws Error where the text is not found exactly once
 */
export const applyMutant = (mutant: Mutant): (() => void) => {
  const path = builtFile(mutant.file)
  mutatedText(mutant, readFileSync(path, 'utf8'))
  const { port1, port2 } = new MessageChannel()
  // Nobody waits for it.
  port1.unref()
  const data: MutantHookData = { mutant, url: pathToFileURL(path).href, port: port2 }
  register('./mutantHook.js', { parentURL: import.meta.url, data, transferList: [port2] })
  return () => {
    if (receiveMessageOnPort(port1) === undefined)
      throw new Error(`Mutant ${mutant.name}: ${mutant.file} was imported before the mutant was applied, or never.`)
  }
}
