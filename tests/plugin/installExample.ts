import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ROOT, TSC } from '../packing/packages.js'

const run = promisify(execFile)
const EXAMPLE = join(dirname(fileURLToPath(import.meta.url)), 'notesPlugin')

/** Builds and packs the example and puts what was packed into a folder, as `npm install` would. */
export const installExample = async (folder: string): Promise<void> => {
  const source = join(folder, 'source')
  const modules = join(folder, 'node_modules')
  const installed = join(modules, 'causeway-plugin-example')
  for (const path of [source, installed]) mkdirSync(path, { recursive: true })
  await run(process.execPath, [TSC, '-p', EXAMPLE, '--outDir', join(source, 'dist')]).catch(
    (error: { readonly stdout: string }) => {
      throw new Error(error.stdout)
    },
  )
  for (const name of ['package.json', 'README.md']) cpSync(join(EXAMPLE, name), join(source, name))
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: source })
  await run('tar', ['-xzf', join(folder, stdout.trim()), '-C', installed, '--strip-components=1'])
  for (const name of ['@causeway', '@sinclair']) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
}
